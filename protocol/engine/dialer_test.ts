import { assertEquals, assertInstanceOf } from "@std/assert";
import { type EngineWorld, inEngineWorld } from "../../tests/conformance/engine_world.ts";
import { PLACE } from "../../tests/conformance/raw_peer.ts";
import { ERROR_400, OUR_GREETING } from "../../tests/conformance/vectors.ts";
import type { Io, IoConnection } from "../io/io.ts";
import { MemoryNetwork } from "../io/memory_io.ts";
import { Dealer, type EventOfType, SocketError } from "../mod.ts";
import type { EngineSettings } from "./settings.ts";

/** An engine without chance: each delay takes half of its random part. */
function steady(w: EngineWorld, settings: Partial<EngineSettings> = {}, change: Partial<Io> = {}) {
  const io = { ...w.network.io("engine"), random: () => 0.5, ...change };
  const made = w.engineOn(io, settings);
  /** When it dialled. */
  const dials: number[] = [];
  const onEvent = made.told.onEvent.bind(made.told);
  made.told.onEvent = (event) => {
    onEvent(event);
    if (event.type === "connect:delay") dials.push(w.network.now);
  };
  return { ...made, dials };
}

function intervals(events: readonly { type: string; interval?: number }[]): number[] {
  return events.filter(({ type }) => type === "connect:retry").map(({ interval }) => interval!);
}

Deno.test("a Dialer tries again after the interval and a random part of it, without growth", () =>
  inEngineWorld(async (w) => {
    const { engine, dials, told } = steady(w);
    engine.connect(PLACE);
    await w.pass(500);
    assertEquals(dials, [0, 150, 300, 450]);
    assertEquals(intervals(told.events), [150, 150, 150, 150]);
    assertEquals(told.types.slice(0, 3), ["connect:delay", "connect:retry", "connect:delay"]);
  }));

Deno.test("a Dialer doubles its wait up to the largest interval, and starts anew after a handshake", () =>
  inEngineWorld(async (w) => {
    const { engine, told } = steady(w, { reconnectMaxInterval: 1000 });
    engine.connect(PLACE);
    await w.pass(10_000);
    assertEquals(intervals(told.events).slice(0, 6), [150, 250, 450, 850, 950, 950]);
    await w.listen((raw) => raw.shake("ROUTER"));
    await w.pass(1000);
    assertEquals(told.log, ["open"]);
    const before = intervals(told.events).length;
    w.network.cut();
    await w.settle();
    assertEquals(intervals(told.events).slice(before), [150]);
    await w.pass(1000);
    assertEquals(told.log, ["open", "gone", "open"]);
  }));

Deno.test("a Dialer goes on counting while connections break before a handshake", () =>
  inEngineWorld(async (w) => {
    const { engine, told } = steady(w, { reconnectMaxInterval: 1000 });
    await w.listen((raw) => raw.leave());
    engine.connect(PLACE);
    await w.pass(2000);
    assertEquals(intervals(told.events).slice(0, 4), [150, 250, 450, 850]);
  }));

Deno.test("a Dialer with a reconnectInterval of -1 tries once", () =>
  inEngineWorld(async (w) => {
    const { engine, dials } = steady(w, { reconnectInterval: -1 });
    engine.connect(PLACE);
    await w.pass(100_000);
    assertEquals(dials, [0]);
  }));

Deno.test("a Dialer gives a connect up after connectTimeout, and tries again", () =>
  inEngineWorld(async (w) => {
    let aborted = 0;
    const connect = (_: unknown, signal: AbortSignal) =>
      new Promise<IoConnection>((_, reject) =>
        signal.addEventListener("abort", () => {
          aborted++;
          reject(signal.reason);
        })
      );
    const { engine, dials } = steady(w, { connectTimeout: 2000 }, { connect });
    engine.connect(PLACE);
    await w.pass(1999);
    assertEquals([dials, aborted], [[0], 0]);
    await w.pass(1);
    assertEquals(aborted, 1);
    await w.pass(150);
    assertEquals(dials, [0, 2150]);
    await w.pass(2000);
    assertEquals(aborted, 2);
  }));

Deno.test("a Dialer without connectTimeout leaves it to the system", () =>
  inEngineWorld(async (w) => {
    const { engine, dials } = steady(w, {}, { connect: () => new Promise(() => {}) });
    engine.connect(PLACE);
    await w.pass(1e9);
    assertEquals(dials, [0]);
  }));

Deno.test("a Dialer takes connectTimeout's clock down once connected", () =>
  inEngineWorld(async (w) => {
    await w.listen((raw) => raw.shake("ROUTER"));
    const { engine, told } = steady(w, { connectTimeout: 500 });
    engine.connect(PLACE);
    await w.pass(10_000);
    assertEquals([told.log, w.network.connections.length], [["open"], 1]);
  }));

Deno.test("Dialer.stop() ends a connect under way and leaves nothing open", () =>
  inEngineWorld(async (w) => {
    const raws = await w.listen();
    const { engine, told } = steady(w);
    engine.connect(PLACE);
    engine.disconnect(PLACE);
    await w.pass(10_000);
    assertEquals([raws.length, w.network.connections.length], [0, 0]);
    assertEquals(told.types, ["connect:delay", "close"]);
    assertEquals(told.log, ["gone for good"]);
  }, { latency: 50 }));

Deno.test("Dialer.stop() closes a connection that comes although its signal was aborted", () =>
  inEngineWorld(async (w) => {
    const raws = await w.listen();
    // A back-end that minds no signal.
    const careless = w.network.io("engine");
    const never = new AbortController().signal;
    const { engine } = steady(w, {}, { connect: (address) => careless.connect(address, never) });
    engine.connect(PLACE);
    engine.disconnect(PLACE);
    await w.pass(10_000);
    assertEquals(raws.map(({ ended }) => ended), [true]);
  }, { latency: 50 }));

Deno.test("Dialer.stop() in its pause forgets the next try", () =>
  inEngineWorld(async (w) => {
    const { engine, dials } = steady(w);
    engine.connect(PLACE);
    await w.pass(100);
    engine.disconnect(PLACE);
    await w.pass(10_000);
    assertEquals(dials, [0]);
  }));

Deno.test("a Dialer that is refused by an ERROR doesn't come back", () =>
  inEngineWorld(async (w) => {
    const raws = await w.listen((raw) => raw.say(OUR_GREETING, ERROR_400));
    const { engine, told } = steady(w);
    engine.connect(PLACE);
    await w.pass(100_000);
    assertEquals(raws.length, 1);
    const types = ["connect:delay", "connect", "handshake:error:auth", "close"];
    assertEquals(told.types, types);
  }));

/** A Dealer that connects to where nobody may be, and what it is told about its attempts. */
function dial(network: MemoryNetwork, connectTimeout = 0) {
  const dealer = new Dealer({ io: network.io("caller"), connectTimeout });
  const retries: EventOfType<"connect:retry">[] = [];
  dealer.events.on("connect:retry", (event) => retries.push(event));
  dealer.connect(PLACE);
  return { dealer, retries };
}

Deno.test("Dialer tells why a connection was not had", async () => {
  const network = new MemoryNetwork();
  const { dealer, retries } = dial(network);
  await network.settle();
  dealer.close();
  const [retry] = retries;
  assertEquals(retry?.error?.message, `Cannot connect to ${PLACE}: connection refused`);
});

Deno.test("Dialer tells ETIMEDOUT when connecting takes longer than connectTimeout", async () => {
  const network = new MemoryNetwork({ latency: 1000 });
  const { dealer, retries } = dial(network, 10);
  await network.advance(10);
  dealer.close();
  const error = retries[0]?.error;
  assertInstanceOf(error, SocketError);
  assertEquals(error.code, "ETIMEDOUT");
});

Deno.test("Dialer has no reason to tell when a connection was had and lost", async () => {
  const network = new MemoryNetwork();
  await using other = new Dealer({ io: network.io("called") });
  await other.bind(PLACE);
  const { dealer, retries } = dial(network);
  await network.settle();
  network.cut();
  await network.settle();
  dealer.close();
  assertEquals(retries.map(({ error }) => error), [undefined]);
});

Deno.test({
  name: "Dialer tells EACCES when Deno lacks the permission",
  permissions: { net: false },
  async fn() {
    const dealer = new Dealer();
    const retried = Promise.withResolvers<EventOfType<"connect:retry">>();
    dealer.events.on("connect:retry", retried.resolve);
    dealer.connect(PLACE);
    const { error } = await retried.promise;
    dealer.close();
    assertInstanceOf(error, SocketError);
    assertEquals(error.code, "EACCES");
  },
});
