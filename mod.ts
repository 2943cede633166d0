/**
 * Rota: ZeroMQ sockets for Deno, and a job broker that stands on them.
 *
 * `Request` shadows the web's class of that name where it is imported; rename it if you need both:
 * `import { Request as RequestSocket } from "./mod.ts"`.
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
