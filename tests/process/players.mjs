/**
 * Plain libzmq workers, clients and proxies, as zeromq.js in Node: what people write who know
 * nothing of Rota but its protocol.
 *
 * `node players.mjs FOLDER` reads commands as JSON lines on stdin and answers each by a JSON line
 * with the same `id` on stdout. FOLDER is where `zeromq` was installed. Ends at the end of stdin.
 *
 * @module
 */

import { createRequire } from "node:module";
import { join } from "node:path";
import process from "node:process";
import { createInterface } from "node:readline";

const require = createRequire(join(process.argv[2], "from_here.js"));
const zmq = require("zeromq");

const JOB_ID_BYTES = 9;

/** Resolves those who wait for something to become true, whenever something has happened. */
class Watch {
  #waiting = new Set();

  until(holds) {
    if (holds()) return Promise.resolve();
    return new Promise((resolve) => this.#waiting.add({ holds, resolve }));
  }

  happened() {
    for (const waiter of [...this.#waiting]) {
      if (!waiter.holds()) continue;
      this.#waiting.delete(waiter);
      waiter.resolve();
    }
  }
}

/** A socket that one can send on without waiting for one's turn. */
class Line {
  #last = Promise.resolve();

  constructor(socket) {
    this.socket = socket;
  }

  send(...frames) {
    this.#last = this.#last.then(() => this.socket.send(frames));
    return this.#last;
  }
}

/** A worker: what all dialects have in common. */
class Worker extends Watch {
  served = 0;
  pings = 0;
  /** Messages that it did not expect. */
  wrong = [];
  /** Whether jobs are kept from now on, and those that are. */
  #keeps = false;
  #kept = [];

  constructor(socket, endpoint) {
    super();
    this.line = new Line(socket);
    socket.connect(endpoint);
  }

  keep(on) {
    this.#keeps = on;
    if (!on) { for (const go of this.#kept.splice(0)) go(); }
  }

  get holding() {
    return this.#kept.length > 0;
  }

  /** Does a job: its result. */
  async work(job) {
    if (this.#keeps) {
      await new Promise((resolve) => {
        this.#kept.push(resolve);
        this.happened();
      });
    }
    this.served++;
    this.happened();
    return `done ${job}`;
  }

  /** Takes down a message that should not have come. */
  refuse(frames) {
    this.wrong.push(frames.map(String).join(" | "));
  }

  /** Pings while `may` says so. */
  ping(milliseconds, may, ...frames) {
    this.timer = setInterval(() => {
      if (!may()) return;
      this.line.send(...frames).catch(() => {});
      this.pings++;
      this.happened();
    }, milliseconds);
  }

  close() {
    clearInterval(this.timer);
    this.line.socket.close();
  }
}

/** The ping-pong dialogue: takes `["", job]`, answers `["", result]`. */
async function playReady(worker, { ping = 1000 }) {
  const { line } = worker;
  let working = false;
  await line.send("", "READY");
  worker.ping(ping, () => !working, "", "PING");
  for await (const frames of line.socket) {
    const [empty, job] = frames;
    if (frames.length !== 2 || empty.length !== 0) worker.refuse(frames);
    if (String(job) === "PONG") continue;
    working = true;
    await line.send("", await worker.work(job));
    working = false;
  }
}

/** The round-robin dialogue: takes `["", id, "", job]`, answers the same way and says INCREMENT. */
async function playRegister(worker, { address, slots, options = [], ping = 0 }) {
  const { line } = worker;
  await line.send("", "REGISTER", String(slots), ...options, address);
  if (ping > 0) worker.ping(ping, () => true, "", "PING", address);
  for await (const frames of line.socket) {
    const [empty, id, delimiter, job] = frames;
    if (["REGISTERED", "PONG"].includes(String(id))) continue;
    const fits = frames.length === 4 && empty.length === 0 && delimiter.length === 0 &&
      id.length === JOB_ID_BYTES && id[0] === 0;
    if (!fits) worker.refuse(frames);
    worker.work(job).then(async (result) => {
      await line.send("", id, "", result);
      await line.send("", "INCREMENT", address);
    });
  }
}

/** The worker of the ZeroMQ guide: READY, then results, each of which asks for the next job. */
async function playRequest(worker) {
  const { socket } = worker.line;
  await socket.send("READY");
  for (;;) {
    const frames = await socket.receive();
    const [client, delimiter, job] = frames;
    if (frames.length !== 3 || delimiter.length !== 0) worker.refuse(frames);
    await socket.send([client, "", await worker.work(job)]);
  }
}

/** A REP knows nothing at all. */
async function playReply(worker) {
  const { socket } = worker.line;
  for await (const frames of socket) {
    if (frames.length !== 1) worker.refuse(frames);
    await socket.send(await worker.work(frames[0]));
  }
}

const WORKERS = {
  ready: [() => new zmq.Dealer({ linger: 0 }), playReady],
  register: [() => new zmq.Dealer({ linger: 0 }), playRegister],
  req: [() => new zmq.Request({ linger: 0 }), playRequest],
  "req-correlate": [() => new zmq.Request({ linger: 0, correlate: true }), playRequest],
  rep: [() => new zmq.Reply({ linger: 0 }), playReply],
};

/** A client that asks `count` times. An answer is right if it is that of a question, once. */
class Client extends Watch {
  answers = new Map();
  answered = 0;
  wrong = [];

  constructor(socket, { name, endpoint, count }) {
    super();
    this.name = name;
    this.count = count;
    this.line = new Line(socket);
    socket.connect(endpoint);
  }

  take(frames) {
    const text = frames.map(String).join(" | ");
    const seen = this.answers.get(text) ?? 0;
    this.answers.set(text, seen + 1);
    if (seen > 0) this.wrong.push(`twice: ${text}`);
    this.answered++;
    this.happened();
  }

  /** What is missing, wrong or came twice. */
  faults(head) {
    const faults = [...this.wrong];
    const expected = new Set();
    for (let i = 0; i < this.count; i++) expected.add(`${head}done ${this.name} ${i}`);
    for (const text of expected) if (!this.answers.has(text)) faults.push(`missing: ${text}`);
    for (const text of this.answers.keys()) if (!expected.has(text)) faults.push(`wrong: ${text}`);
    return faults;
  }

  close() {
    this.line.socket.close();
  }
}

/** One question after the other. */
async function askInTurn(client) {
  for (let i = 0; i < client.count; i++) {
    await client.line.socket.send(`${client.name} ${i}`);
    client.take(await client.line.socket.receive());
  }
}

/** Many questions at a time, each behind these frames. */
async function askAtOnce(client, head, window) {
  const listening = (async () => {
    for await (const frames of client.line.socket) client.take(frames);
  })();
  for (let i = 0; i < client.count; i++) {
    await client.until(() => i - client.answered < window);
    await client.line.send(...head, `${client.name} ${i}`);
  }
  await listening;
}

const CLIENTS = {
  req: [() => new zmq.Request({ linger: 0 }), askInTurn, ""],
  "req-correlate": [() => new zmq.Request({ linger: 0, correlate: true }), askInTurn, ""],
  dealer: [() => new zmq.Dealer({ linger: 0 }), (it) => askAtOnce(it, [""], 200), " | "],
  bare: [() => new zmq.Dealer({ linger: 0 }), (it) => askAtOnce(it, [], 200), ""],
};

const players = new Map();

const ops = {
  worker(command) {
    const [make, play] = WORKERS[command.kind];
    const worker = new Worker(make(), command.endpoint);
    players.set(command.name, worker);
    void play(worker, command).catch((error) => worker.wrong.push(String(error)));
  },

  client(command) {
    const [make, ask, head] = CLIENTS[command.kind];
    const client = new Client(make(), command);
    client.head = head;
    players.set(command.name, client);
    void ask(client).catch((error) => client.wrong.push(String(error)));
  },

  /** `zmq_proxy`: a ROUTER for whoever comes, a DEALER to the broker. */
  async proxy({ name, endpoint }) {
    const [front, back] = [new zmq.Router({ linger: 0 }), new zmq.Dealer({ linger: 0 })];
    await front.bind("tcp://127.0.0.1:*");
    back.connect(endpoint);
    const bound = front.lastEndpoint;
    const proxy = new zmq.Proxy(front, back);
    players.set(name, { close: () => proxy.terminate() });
    void proxy.run().catch(() => {});
    return bound;
  },

  /** Waits until a client has had so many answers. */
  answered: ({ name, count }) => {
    const client = players.get(name);
    return client.until(() => client.answered >= count);
  },

  faults: ({ name }) => players.get(name).faults(players.get(name).head),

  /** Keeps the next jobs, or lets go of them. */
  keep: ({ name, on }) => players.get(name).keep(on),

  /** Waits until a worker has a job in its hands. */
  holding: ({ name }) => players.get(name).until(() => players.get(name).holding),

  /** Waits until a worker has sent so many more heartbeats. */
  pings({ name, count }) {
    const worker = players.get(name);
    const until = worker.pings + count;
    return worker.until(() => worker.pings >= until);
  },

  /** How many jobs a worker has done, and what it didn't expect. */
  work: ({ name }) => ({ served: players.get(name).served, wrong: players.get(name).wrong }),

  close({ name }) {
    players.get(name).close();
    players.delete(name);
  },
};

const say = (line) => process.stdout.write(`${JSON.stringify(line)}\n`);

async function answer({ id, ...command }) {
  try {
    say({ id, value: (await ops[command.op](command)) ?? null });
  } catch (error) {
    say({ id, error: { message: String(error?.message ?? error), code: error?.code ?? null } });
  }
}

const lines = createInterface({ input: process.stdin });
lines.on("line", (line) => void answer(JSON.parse(line)));
lines.on("close", () => process.exit(0));
say({ id: 0, value: zmq.version });
