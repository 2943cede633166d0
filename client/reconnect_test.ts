// Brokers that come and go: how often a client tries, where its calls go meanwhile, and that each
// ends once. Several brokers stand on one network in memory.

import { assert, assertEquals, assertRejects } from "@std/assert";
import { FakeTime } from "@std/testing/time";
import { Broker } from "../broker/mod.ts";
import type { Io } from "../protocol/io/io.ts";
import { MemoryNetwork } from "../protocol/io/memory_io.ts";
import { Request as RequestSocket, SocketError } from "../protocol/mod.ts";
import { World } from "../tests/conformance/raw_peer.ts";
import { hex, join, OUR_GREETING, text } from "../tests/conformance/vectors.ts";
import { TestCluster } from "../tests/kit/mod.ts";
import { MortalIo } from "../tests/kit/mortal_io.ts";
import { type Handlers, Worker } from "../worker/mod.ts";
import { Client } from "./client.ts";
import { ConnectionLostError } from "./errors.ts";

/** Brokers with a worker each, which can be killed and started again. */
class Brokers implements AsyncDisposable {
  readonly network = new MemoryNetwork();
  readonly #handlers: (name: string) => Handlers;
  readonly #broker: Map<string, { readonly io: MortalIo; readonly broker: Broker }> = new Map();
  readonly #worker: Worker[] = [];

  constructor(handlers: (name: string) => Handlers) {
    this.#handlers = handlers;
  }

  /** Starts the broker `a`, `b` and so on, with a worker if it has none. */
  async start(name: string, drainSeconds = 5): Promise<void> {
    const io = new MortalIo(this.network, name);
    const port = this.port(name);
    const broker = await Broker.start({
      io,
      drainSeconds,
      frontend: `tcp://127.0.0.1:${port}`,
      backend: `tcp://127.0.0.1:${port + 1000}`,
    });
    this.#broker.set(name, { io, broker });
    const worker = await Worker.start({
      broker: broker.backend,
      handlers: this.#handlers(name),
      address: `${name} ${this.#worker.length}`,
      io: this.network.io(`worker ${name}`),
    });
    this.#worker.push(worker);
  }

  kill(name: string): void {
    this.#broker.get(name)!.io.die();
    this.#broker.delete(name);
  }

  broker(name: string): Broker {
    return this.#broker.get(name)!.broker;
  }

  port(name: string): number {
    return 5000 + name.charCodeAt(0);
  }

  client(names: string): Client {
    const broker = [...names].map((name) => `tcp://127.0.0.1:${this.port(name)}`);
    return new Client({ broker, io: this.network.io("client") });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const closed = [
      ...this.#worker.map((worker) => worker.close({ now: true })),
      ...[...this.#broker.values()].map(({ broker }) => broker.close({ now: true })),
    ];
    await this.network.advance(5000);
    await Promise.all(closed);
  }
}

/** Answers with the broker's name. */
const named = (name: string): Handlers => ({
  who: () => name,
  never: () => new Promise(() => {}),
});

/** The times at which somebody tries to connect. */
function watchConnects(io: Io): { readonly io: Io; readonly times: number[] } {
  const times: number[] = [];
  const connect: Io["connect"] = (address, signal) => {
    times.push(io.now());
    return io.connect(address, signal);
  };
  return { io: { ...io, connect }, times };
}

/** Waits between attempts to connect that keep failing. */
function gapsOf(times: readonly number[]): number[] {
  return times.slice(1).map((time, i) => time - times[i]!);
}

Deno.test("a client tries again with waits that double from 100 ms to 30 s, with full jitter", async () => {
  const spread: number[][] = [];
  for (let seed = 1; seed <= 20; seed++) {
    const network = new MemoryNetwork({ seed });
    const { io, times } = watchConnects(network.io());
    const client = new Client({ io });
    await network.advance(600_000);
    const gaps = gapsOf(times);
    gaps.forEach((gap, i) => assert(gap <= Math.min(100 * 2 ** i, 30_000), `${gap} after ${i}`));
    spread.push(gaps);
    await client.close();
  }
  const late = spread.flatMap((gaps) => gaps.slice(9));
  const mean = late.reduce((sum, gap) => sum + gap, 0) / late.length;
  assert(mean > 12_000 && mean < 18_000, `${mean} ms on the average of up to 30 s`);
  assert(Math.max(...late) > 25_000 && Math.min(...late) < 5000, "spread over all of the wait");
  assertEquals(new Set(spread.map(([first]) => first)).size, 20, "no two clients come together");
});

Deno.test("waits begin anew after a broker was there, and run under FakeTime", async () => {
  using time = new FakeTime(0);
  const network = new MemoryNetwork({ clock: "global" });
  const pass = async (milliseconds: number) => {
    for (let left = milliseconds; left > 0; left -= 10) {
      time.tick(10);
      await network.settle();
    }
  };
  const { io, times } = watchConnects(network.io("client"));
  await using client = new Client({ io });
  await pass(60_000);
  const brokerIo = new MortalIo(network, "broker");
  await Broker.start({ io: brokerIo });
  await pass(30_000);
  assert(client.connected);
  brokerIo.die();
  await network.settle();
  assert(!client.connected);
  const from = times.length;
  const lost = time.now;
  await pass(1000);
  assert(times[from]! - lost <= 100, `${times[from]! - lost} ms after the loss`);
  assert(times.length - from >= 3, `${times.length - from} attempts in the first second`);
});

Deno.test("brokers are used in turn, and calls of a lost one go to the others", async () => {
  await using brokers = new Brokers(named);
  for (const name of "abc") await brokers.start(name);
  await using client = brokers.client("abc");
  await client.ready();
  await brokers.network.settle();
  const answers = await Promise.all(Array.from({ length: 6 }, () => client.call("who")));
  assertEquals(answers.map((it) => it.text()).join(""), "abcabc");
  brokers.kill("b");
  await brokers.network.settle();
  const others = await Promise.all(Array.from({ length: 4 }, () => client.call("who")));
  assertEquals(others.map((it) => it.text()).join(""), "acac");
});

Deno.test("a call at a broker that dies is made again at another, and ends", async () => {
  let runs = 0;
  await using brokers = new Brokers((name) => ({
    once: () => ++runs === 1 ? new Promise<string>(() => {}) : name,
  }));
  for (const name of "ab") await brokers.start(name);
  await using client = brokers.client("ab");
  await client.ready();
  const call = client.call("once");
  await brokers.network.settle();
  brokers.kill("a");
  assertEquals((await call).text(), "b");
});

Deno.test("what had not gone out to a lost broker isn't sent there when it is back", async () => {
  const runs: string[] = [];
  await using brokers = new Brokers((name) => ({ run: () => String(runs.push(name)) }));
  for (const name of "ab") await brokers.start(name);
  await using client = brokers.client("ab");
  await client.ready();
  await brokers.network.settle();
  const call = client.call("run");
  brokers.network.cut("client", "a");
  await call;
  await brokers.network.advance(5000);
  assertEquals((await client.call("run")).text(), "2", "the first one is back");
  assertEquals(runs, ["b", "a"]);
});

Deno.test("a broker that is told to end hands its new calls over to another", async () => {
  await using brokers = new Brokers(named);
  for (const name of "ab") await brokers.start(name);
  await using client = brokers.client("ab");
  await client.ready();
  await brokers.network.settle();
  const running = client.call("never").catch((error) => error.code);
  await brokers.network.settle();
  const closed = brokers.broker("a").close();
  const answers = await Promise.all(Array.from({ length: 4 }, () => client.call("who")));
  assertEquals(answers.map((it) => it.text()).join(""), "bbbb");
  await brokers.network.advance(4999);
  assertEquals(client.pending, 1);
  await brokers.network.advance(1000);
  await closed;
  assertEquals(client.pending, 1, "what could not be finished there is asked for here");
  await client.close();
  assertEquals(await running, "CONNECTION_LOST");
});

Deno.test("after a broker's crash all calls are made again, with the same ids, and end once", async () => {
  await using cluster = await TestCluster.start();
  const ids = new Map<string, number>();
  const slow = (job: { text(): string }) => {
    ids.set(job.text(), (ids.get(job.text()) ?? 0) + 1);
    return ids.get(job.text())! > 1 ? job.text() : new Promise<string>(() => {});
  };
  await cluster.worker({ slots: 100, handlers: { slow } });
  const client = cluster.client();
  const calls = Array.from({ length: 50 }, (_, i) => client.call("slow", String(i)));
  await cluster.settle();
  cluster.killBroker();
  await cluster.advance(5000);
  await cluster.startBroker();
  await cluster.advance(60_000);
  const texts = (await Promise.all(calls)).map((it) => it.text());
  assertEquals(texts, Array.from({ length: 50 }, (_, i) => String(i)));
  assertEquals([...ids.values()].every((count) => count === 2), true);
});

Deno.test("after a lost connection the same id finds its answer: the job isn't run again", async () => {
  await using cluster = await TestCluster.start();
  let runs = 0;
  let finish = () => {};
  const slow = () => {
    runs++;
    return new Promise<string>((resolve) => finish = () => resolve("done"));
  };
  await cluster.worker({ handlers: { slow } });
  const client = cluster.client();
  const call = client.call("slow");
  await cluster.settle();
  cluster.cut(client);
  await cluster.advance(1000);
  cluster.cut(client);
  finish();
  await cluster.advance(1000);
  assertEquals([(await call).text(), runs], ["done", 1]);
});

Deno.test("a broker that falls silent is found out by its heartbeat, and asked again", async () => {
  await using cluster = await TestCluster.start();
  let runs = 0;
  await cluster.worker({ handlers: { slow: () => ++runs } });
  const client = cluster.client();
  await client.ready();
  cluster.isolate(client);
  const call = client.call("slow");
  await cluster.advance(9000);
  assertEquals([client.connected, client.pending], [true, 1]);
  await cluster.advance(6000);
  assertEquals([(await call).json(), runs], [1, 1]);
});

Deno.test("a peer that refuses us for good ends calls instead of keeping them for ever", async () => {
  const world = new World();
  const reason = text("no");
  const body = join(hex("05"), text("ERROR"), new Uint8Array([reason.length]), reason);
  const refusal = join(hex("04"), new Uint8Array([body.length]), body);
  await world.listen((raw) => raw.say(OUR_GREETING, refusal));
  const log: string[] = [];
  const io = world.network.io("client");
  const client = new Client({ io, onLog: ({ event }) => log.push(event) });
  const call = assertRejects(() => client.call("x"), ConnectionLostError, "it refuses this client");
  await world.pass(1000);
  await call;
  await assertRejects(() => client.ready(), ConnectionLostError, "it refuses this client");
  assertEquals([client.connected, log.at(-1)], [false, "refused by the broker"]);
  await client.close();
  await world.end();
});

Deno.test("a peer that is no broker is told of, and tried again", async () => {
  const network = new MemoryNetwork();
  await using other = new RequestSocket({ io: network.io("other") });
  await other.bind("tcp://127.0.0.1:5555");
  const log: string[] = [];
  const io = network.io("client");
  await using client = new Client({ io, onLog: ({ event }) => log.push(event) });
  const ready = assertRejects(
    () => client.ready({ timeout: 1000 }),
    ConnectionLostError,
    "1000 ms: ",
  );
  await network.advance(1000);
  await ready;
  assert(log.filter((event) => event === "no handshake").length > 2);
});

Deno.test("a client that Deno gives no network says so at once", async () => {
  const { io } = watchConnects(new MemoryNetwork().io());
  const connect = () => Promise.reject(new SocketError("EACCES", "Deno was not given --allow-net"));
  await using client = new Client({ io: { ...io, connect } });
  await assertRejects(() => client.call("x"), ConnectionLostError, "--allow-net");
  await assertRejects(() => client.ready(), ConnectionLostError, "--allow-net");
});

Deno.test("a client that is closed leaves no timer behind", async () => {
  const network = new MemoryNetwork();
  const io = network.io("client");
  const timers = new Set<number>();
  const counted: Io = {
    ...io,
    setTimer: (callback, milliseconds) => {
      const id = io.setTimer(() => {
        timers.delete(id);
        callback();
      }, milliseconds);
      timers.add(id);
      return id;
    },
    clearTimer: (id) => {
      timers.delete(id);
      io.clearTimer(id);
    },
  };
  const broker = await Broker.start({ io: network.io("broker") });
  const client = new Client({ io: counted });
  await client.ready({ timeout: 60_000 });
  const call = assertRejects(() => client.call("x", 0, { timeout: 60_000 }), ConnectionLostError);
  await network.settle();
  assert(timers.size > 0);
  const closed = [client.close(), broker.close({ now: true })];
  await network.advance(2000);
  await Promise.all([...closed, call]);
  assertEquals(timers.size, 0);
});

Deno.test("a client that connects and loses brokers all the time leaves nothing behind", async () => {
  await using cluster = await TestCluster.start();
  await cluster.worker({ handlers: { hello: () => "hello" } });
  const client = cluster.client();
  let answered = 0;
  for (let i = 0; i < 50; i++) {
    const calls = Array.from({ length: 10 }, () => client.call("hello"));
    if (i % 2 === 0) cluster.cut(client);
    await cluster.advance(2000);
    answered += (await Promise.all(calls)).length;
  }
  assertEquals([answered, client.pending], [500, 0]);
  const { jobs } = cluster.broker.views.snapshot();
  assertEquals([jobs.waiting, jobs.running], [0, 0]);
});
