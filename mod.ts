/**
 * Rota: a job broker for Deno with its worker and client, and the ZeroMQ sockets that they stand on.
 *
 * `Worker` and `Request` shadow the web's classes of those names where they are imported; rename them
 * if you need both: `import { Worker as JobWorker } from "./mod.ts"`.
 *
 * @example
 * ```ts
 * import { Broker, Client, type Job, Worker as JobWorker } from "./mod.ts";
 *
 * await using broker = await Broker.start({
 *   frontend: "tcp://127.0.0.1:*",
 *   backend: "tcp://127.0.0.1:*",
 * });
 * const handlers = { hello: (job: Job) => `Hello, ${job.text()}!` };
 * await using worker = await JobWorker.start({ broker: broker.backend, handlers });
 * await using client = new Client<typeof handlers>({ broker: broker.frontend });
 * const result = await client.call("hello", "you");
 * if (result.text() !== "Hello, you!" || !worker.status.registered) throw new Error("lost");
 * ```
 *
 * @example
 * ```ts
 * import { Reply, Request as RequestSocket } from "./mod.ts";
 *
 * await using reply = new Reply();
 * await reply.bind("tcp://127.0.0.1:*");
 * await using request = new RequestSocket();
 * request.connect(reply.lastEndpoint!);
 * await request.send("ping");
 * const [question] = await reply.receive();
 * await reply.send(question!);
 * const [answer] = await request.receive();
 * if (`${answer}` !== "ping") throw new Error("lost");
 * ```
 *
 * @module
 */
export * from "./protocol/mod.ts";
export * from "./broker/mod.ts";
export * from "./worker/mod.ts";
export * from "./client/mod.ts";
