/**
 * Back-pressure, both ways: who doesn't read is not written to, who isn't received from is not read
 * from, nothing is lost, nobody is taken for dead, and memory stays within one budget over all
 * peers. On a network in memory with simulated time; the last test on loopback TCP.
 *
 * @module
 */
import { assert, assertEquals } from "@std/assert";
import type { IoConnection, IoSink } from "../protocol/io/io.ts";
import { type Dealer, Dealer as DealerSocket, Router, type Socket } from "../protocol/mod.ts";
import { Pipe, WAITING_BYTES } from "../protocol/sockets/fair_queue.ts";
import { inspect } from "../protocol/sockets/inspect.ts";
import { FIRST_INPUT_BYTES, READ_BYTES } from "../protocol/zmtp/input_buffer.ts";
import { inWorld, outcome, PLACE, ready, type World } from "./conformance/raw_peer.ts";
import { OUR_GREETING } from "./conformance/vectors.ts";
import { SteeredIo } from "./hostile/steered_io.ts";

const KIB = 1024;
const MIB = 1024 * KIB;
const WINDOW = 64 * KIB;
const HOUR = 3_600_000;
const BEATS = { heartbeatInterval: 1000, heartbeatTimeToLive: 3000 };

/** Octets that nobody looks at; all who need many share these. */
const CHUNK = new Uint8Array(MIB);

/** A message of two frames: its number, and so many octets. */
function numbered(i: number, size: number): [string, Uint8Array] {
  return [`${i}`, CHUNK.subarray(0, size)];
}

/** A frame's header. */
function header(flags: number, size: number): Uint8Array {
  const bytes = new Uint8Array(9);
  bytes[0] = flags | 2;
  new DataView(bytes.buffer).setUint32(5, size);
  return bytes;
}

/**
 * A peer that pours octets without holding them: each part is octets, or a number of any octets.
 * What it reads it forgets.
 */
class Pourer implements IoSink {
  /** Parts that have not gone out yet. */
  readonly parts: (Uint8Array | number)[];
  /** Whether the other side closed it. */
  left = false;
  readonly #connection: IoConnection;
  readonly #into = new Uint8Array(4 * KIB);
  #reading = false;
  #deaf = false;

  constructor(connection: IoConnection, parts: readonly (Uint8Array | number)[]) {
    this.#connection = connection;
    this.parts = [...parts];
    connection.attach(this);
    this.#read();
    this.#pour();
  }

  /** Connects one that shakes hands and says these parts. */
  static to(w: World, ...parts: readonly (Uint8Array | number)[]): Promise<Pourer> {
    return Pourer.#connect(w, "", parts);
  }

  /** Connects one that has a name, says nothing more, and reads nothing once it has shaken hands. */
  static async deaf(w: World, name: string): Promise<Pourer> {
    const pourer = await Pourer.#connect(w, name, []);
    await w.settle();
    pourer.deafen();
    return pourer;
  }

  static async #connect(w: World, name: string, parts: readonly (Uint8Array | number)[]) {
    const address = { hostname: "127.0.0.1", port: 5555 };
    const connecting = w.network.io("pourer").connect(address, new AbortController().signal);
    await w.settle();
    return new Pourer(await connecting, [OUR_GREETING, ready("DEALER", name), ...parts]);
  }

  /** Reads no more, or again. */
  deafen(on = true): void {
    this.#deaf = on;
    this.#read();
  }

  /** Pours more. */
  more(...parts: readonly (Uint8Array | number)[]): void {
    this.parts.push(...parts);
    if (this.parts.length === parts.length) this.#pour();
  }

  close(): void {
    this.#connection.close();
  }

  onRead(count: number): void {
    this.#reading = false;
    if (count > 0) this.#read();
    else this.#leave();
  }

  onWritten(count: number): void {
    const part = this.parts[0]!;
    const rest = typeof part === "number" ? part - count : part.subarray(count);
    if (rest === 0 || (typeof rest !== "number" && rest.length === 0)) this.parts.shift();
    else this.parts[0] = rest;
    this.#pour();
  }

  onFailed(): void {
    this.#leave();
  }

  #leave(): void {
    this.left = true;
    this.parts.length = 0;
    this.close();
  }

  #read(): void {
    if (this.#reading || this.#deaf) return;
    this.#reading = true;
    this.#connection.read(this.#into);
  }

  #pour(): void {
    const part = this.parts[0];
    if (part === undefined) return;
    this.#connection.write(
      typeof part === "number" ? CHUNK.subarray(0, Math.min(part, MIB)) : part,
    );
  }
}

/** A socket's peers as it sees them. */
function pipes(socket: Socket): Pipe[] {
  return inspect(socket).peers.map((peer) => peer?.tag).filter((tag) => tag instanceof Pipe);
}

/** Sends numbered messages one after the other; says how many have been taken. */
function flood(socket: Dealer, count: number, size: number): { sent: number; done: Promise<void> } {
  const progress = { sent: 0, done: Promise.resolve() };
  progress.done = (async () => {
    for (let i = 0; i < count; i++) {
      await socket.send(numbered(i, size));
      progress.sent++;
    }
  })();
  // A test that fails closes its sockets meanwhile; its own error is the one to show.
  progress.done.catch(() => {});
  return progress;
}

/** Runs what is due until the senders get no further. */
async function rest(w: World, ...floods: readonly { readonly sent: number }[]): Promise<void> {
  const sum = () => floods.reduce((total, { sent }) => total + sent, 0);
  for (let before = -1; before !== sum();) {
    before = sum();
    await w.settle();
  }
}

/** Receives so many messages; gives their numbers. */
async function numbers(socket: Socket, count: number): Promise<number[]> {
  const got: number[] = [];
  for (let i = 0; i < count; i++) got.push(Number((await socket.receive()).at(-2)));
  return got;
}

function upTo(count: number): number[] {
  return Array.from({ length: count }, (_, i) => i);
}

/** The connections that sockets lose from now on. */
function departures(...sockets: readonly Socket[]): string[] {
  const gone: string[] = [];
  for (const socket of sockets) {
    socket.events.on("disconnect", ({ error }) => gone.push(`${socket.type}: ${error?.message}`));
  }
  return gone;
}

/** A Router and a Dealer that have met. */
async function pair(w: World, options: { router?: object; dealer?: object } = {}) {
  const router = w.router(options.router);
  await router.bind(PLACE);
  const dealer = w.dealer({ routingId: "dealer", ...options.dealer });
  dealer.connect(PLACE);
  await w.settle();
  return { router, dealer, gone: departures(router, dealer) };
}

Deno.test("a peer that doesn't read is written to up to sendHighWaterMark, then send() waits; nothing is lost", () =>
  inWorld(async (w) => {
    const dealer = w.dealer({ sendHighWaterMark: 10 });
    const raws = await w.listen((raw) => raw.shake("ROUTER"));
    dealer.connect(PLACE);
    await w.settle();
    raws[0]!.deafen();
    const size = 2 * WINDOW;
    const sending = flood(dealer, 40, size);
    await rest(w, sending);
    // The first ten go out as one batch, which counts until its last octet is written.
    assertEquals([sending.sent, inspect(dealer).peers[0]!.waitingMessages], [10, 10]);
    const more = dealer.send("more");
    await w.pass(HOUR);
    assertEquals(sending.sent, 10);
    assert(inspect(dealer).budget.peak < 30 * size, "it holds what waits in the application");
    raws[0]!.deafen(false);
    await w.settle();
    await Promise.all([sending.done, more]);
    const got = raws[0]!.messages().map((line) => line.split('"')[1]);
    assertEquals(got.filter((it) => it !== "more"), upTo(40).map(String));
  }));

Deno.test("a peer that doesn't read is written to up to its mark in octets", () =>
  inWorld(async (w) => {
    const router = w.router({ mandatory: true, sendHighWaterMark: 0, sendTimeout: 0 });
    const { settings, budget, peers } = inspect(router);
    settings.outputBytes = MIB;
    await router.bind(PLACE);
    const raw = await w.meet("DEALER", "deaf");
    raw.deafen();
    let sent = 0;
    while (await outcome(router.send(["deaf", ...numbered(sent, 10 * KIB)])) === "done") {
      sent++;
      await w.settle();
    }
    const { waitingBytes } = peers[0]!;
    assert(waitingBytes >= MIB && waitingBytes < MIB + 11 * KIB, `${waitingBytes} octets wait`);
    // What is being written, what is gathered, and a buffer that doubles.
    assert(budget.peak <= 4 * MIB, `${budget.peak} octets at the peak`);
    raw.deafen(false);
    await w.settle();
    assertEquals(raw.messages().length, sent);
    assertEquals(await outcome(router.send(["deaf", "again"])), "done");
  }));

Deno.test("an application that doesn't receive stops reading from TCP at receiveHighWaterMark; nothing is lost", () =>
  inWorld(async (w) => {
    const { router, dealer } = await pair(w, { router: { receiveHighWaterMark: 7 } });
    const sending = flood(dealer, 3000, 100);
    await rest(w, sending);
    await w.pass(HOUR);
    assertEquals([pipes(router)[0]!.waiting, pipes(router)[0]!.paused], [7, true]);
    assertEquals(w.network.connections[0]!.held("out"), WINDOW, "the window is full");
    assert(sending.sent < 3000);
    assertEquals(await numbers(router, 3000), upTo(3000));
    await sending.done;
  }));

Deno.test("an application that doesn't receive holds at most 64 MiB of one peer, and one message more", () =>
  inWorld(async (w) => {
    const { router, dealer } = await pair(w, { router: { receiveHighWaterMark: 0 } });
    const sending = flood(dealer, 100, MIB);
    await rest(w, sending);
    const { bytes } = pipes(router)[0]!;
    assert(bytes >= WAITING_BYTES && bytes < WAITING_BYTES + MIB + 100, `${bytes} octets`);
    assert(inspect(router).budget.peak < WAITING_BYTES + 5 * MIB);
    assertEquals(await numbers(router, 100), upTo(100));
    await sending.done;
  }));

Deno.test("one budget over what all peers have sent and nobody has received; nothing is lost", () =>
  inWorld(async (w) => {
    const router = w.router({ ...BEATS, receiveHighWaterMark: 0 });
    await router.bind(PLACE);
    const { budget } = inspect(router);
    budget.limit = 8 * MIB;
    const peers = 20;
    const [count, size] = [400, 10 * KIB];
    const floods: ReturnType<typeof flood>[] = [];
    for (let i = 0; i < peers; i++) {
      const dealer = w.dealer({ ...BEATS, routingId: `dealer ${i}` });
      dealer.connect(PLACE);
      floods.push(flood(dealer, count, size));
    }
    const gone = departures(router);
    await rest(w, ...floods);
    await w.pass(600_000);
    // Each peer may add the message that it is stopped at, and what is read ahead of it.
    const slack = peers * (3 * size + 2 * FIRST_INPUT_BYTES);
    assert(budget.peak <= budget.limit + slack, `${budget.peak} octets at the peak`);
    assert(budget.peak > budget.limit - slack, "it was never short");
    const got = new Map<string, number[]>();
    for (let i = 0; i < peers * count; i++) {
      const [name, number] = await router.receive();
      const list = got.get(name.text()) ?? [];
      got.set(name.text(), list);
      list.push(Number(number));
    }
    assertEquals([...got.values()], Array.from({ length: peers }, () => upTo(count)));
    await Promise.all(floods.map(({ done }) => done));
    assert(budget.peak <= budget.limit + slack, `${budget.peak} octets at the peak`);
    assertEquals(gone, []);
  }));

Deno.test("50 peers each with an unfinished message of 63 MiB stay within 512 MiB and 1 MiB", () =>
  inWorld(async (w) => {
    const router = w.router();
    await router.bind(PLACE);
    const inside = inspect(router);
    assertEquals(inside.budget.limit, 512 * MIB);
    const good = await w.meet("DEALER", "good");
    const bad: Pourer[] = [];
    for (let i = 0; i < 50; i++) bad.push(await Pourer.to(w, header(0, 63 * MIB), 63 * MIB - 1));
    for (let seconds = 0; seconds <= 40; seconds += 4) {
      good.say(new Uint8Array([0, 1, 65]));
      await w.settle();
      assertEquals((await router.receive()).map(String), ["good", "A"]);
      await router.send(["good", "answer"]);
      await w.pass(4000);
      assertEquals(good.messages().length, seconds / 4 + 1);
    }
    const { peak } = inside.budget;
    // Beside the large ones each connection has a first buffer, and a few have one for a read.
    assert(peak <= 513 * MIB, `${peak} octets at the peak`);
    assert(peak > 480 * MIB, "memory was never short");
    assert(inside.counters.get("hungry")! >= 3);
    assertEquals(bad.filter(({ left }) => left).length, inside.counters.get("hungry"));
    for (const pourer of bad) pourer.close();
    await w.settle();
    assert(inside.budget.used < MIB);
  }));

Deno.test("large messages that nobody receives stay within the budget and one message; nothing is lost", () =>
  inWorld(async (w) => {
    const router = w.router();
    await router.bind(PLACE);
    const { budget, counters } = inspect(router);
    budget.limit = 64 * MIB;
    const size = 10 * MIB;
    const pourers: Pourer[] = [];
    for (let i = 0; i < 12; i++) pourers.push(await Pourer.to(w, header(0, size), size - 1));
    await w.settle();
    // All that fit are nearly through: now they end together, and have more to say.
    for (const pourer of pourers) pourer.more(1, new Uint8Array([0, 1, 65]));
    await w.settle();
    assert(budget.peak <= budget.limit + size + MIB, `${budget.peak} octets at the peak`);
    const sizes: number[] = [];
    for (let i = 0; i < 24; i++) {
      const [, body] = await router.receive();
      sizes.push(body.length);
      await w.settle();
    }
    assertEquals(sizes.toSorted((a, b) => a - b), [...Array(12).fill(1), ...Array(12).fill(size)]);
    assert(budget.peak <= budget.limit + size + MIB, `${budget.peak} octets at the peak`);
    assertEquals(counters.get("hungry"), undefined);
    for (const pourer of pourers) pourer.close();
  }));

Deno.test("one budget over what waits for all peers; one that reads is served, and nothing is lost", () =>
  inWorld(async (w) => {
    const router = w.router({ mandatory: true, sendHighWaterMark: 0 });
    await router.bind(PLACE);
    const { budget, settings } = inspect(router);
    budget.limit = 16 * MIB;
    const deaf = [];
    for (let i = 0; i < 30; i++) deaf.push(await w.meet("DEALER", `deaf ${i}`));
    for (const raw of deaf) raw.deafen();
    const good = await w.meet("DEALER", "good");
    const sends: Promise<void>[] = [];
    let taken = 0;
    for (let i = 0; i < 20; i++) {
      for (let j = 0; j < 30; j++) {
        sends.push(router.send([`deaf ${j}`, ...numbered(i, 250 * KIB)]).then(() => void taken++));
      }
      await w.settle();
      assertEquals(await outcome(router.send(["good", `${i}`])), "done");
      await w.settle();
    }
    assertEquals(settings.outputBytes, 64 * MIB);
    assert(taken < 600 && taken > 30, `${taken} were taken`);
    // Past the limit each peer may get one message more.
    const slack = 30 * 2 * 256 * KIB;
    assert(budget.peak <= budget.limit + slack, `${budget.peak} octets at the peak`);
    assertEquals(good.messages(), upTo(20).map((it) => `"${it}"`));
    for (const raw of deaf) {
      raw.deafen(false);
      await w.settle();
    }
    await Promise.all(sends);
    for (const raw of deaf) {
      const got = raw.messages().map((line) => Number(line.split('"')[1]));
      assertEquals(got, upTo(20));
    }
  }));

Deno.test("a send that waits for memory goes out when another peer's output is read", () =>
  inWorld(async (w) => {
    const router = w.router({ mandatory: true });
    await router.bind(PLACE);
    const { budget } = inspect(router);
    budget.limit = MIB;
    const large = new Uint8Array(25 * MIB);
    const deaf: Pourer[] = [];
    for (let i = 0; i < 3; i++) {
      deaf.push(await Pourer.deaf(w, `deaf ${i}`));
      await router.send([`deaf ${i}`, large]);
      await w.settle();
    }
    const good = await w.meet("DEALER", "good");
    // One largest message beyond the limit, even a peer that has nothing waiting gets no more.
    const sending = outcome(router.send(["good", "at last"]));
    await w.pass(HOUR);
    assertEquals(good.messages(), []);
    deaf[0]!.deafen(false);
    await w.settle();
    assertEquals([await sending, good.messages()], ["done", ['"at last"']]);
    for (const pourer of deaf) pourer.close();
  }));

Deno.test("peers that read nothing cost others neither service nor memory", () =>
  inWorld(async (w) => {
    const router = w.router({ sendHighWaterMark: 100 });
    await router.bind(PLACE);
    const { budget, counters } = inspect(router);
    const deaf = await w.meet("DEALER", "deaf");
    deaf.deafen();
    const good = await w.meet("DEALER", "good");
    const body = CHUNK.subarray(0, 4 * KIB);
    for (let i = 0; i < 1000; i++) {
      await router.send(["deaf", body]);
      await router.send(["good", `${i}`]);
      if (i % 10 === 0) await w.settle();
    }
    await w.settle();
    assertEquals(good.messages().length, 1000);
    assert(counters.get("no-room")! > 800);
    assert(budget.peak < 3 * 100 * body.length + MIB, `${budget.peak} octets at the peak`);
  }));

for (const [name, slow] of [["Router", "router"], ["Dealer", "dealer"]] as const) {
  Deno.test(`a ${name} whose application is slow for an hour is not taken for dead, nor takes the other`, () =>
    inWorld(async (w) => {
      const mark = { receiveHighWaterMark: 3 };
      const options = { router: { ...BEATS }, dealer: { ...BEATS } };
      Object.assign(options[slow], mark);
      const { router, dealer, gone } = await pair(w, options);
      const count = 400;
      // Far more than the window takes: output is blocked all the time.
      const sending: Promise<void>[] = [];
      for (let i = 0; i < count; i++) {
        const one = numbered(i, 10 * KIB);
        sending.push(slow === "router" ? dealer.send(one) : router.send(["dealer", ...one]));
      }
      await w.pass(HOUR);
      assertEquals(w.network.connections[0]!.held(slow === "router" ? "out" : "in"), WINDOW);
      const receiver: Socket = slow === "router" ? router : dealer;
      const first = await numbers(receiver, 10);
      await w.pass(HOUR);
      const rest = await numbers(receiver, count - 10);
      assertEquals([...first, ...rest], upTo(count));
      await Promise.all(sending);
      assertEquals(gone, []);
      assert(inspect(receiver).budget.peak < 2 * READ_BYTES);
    }));
}

Deno.test("over TCP: an application that doesn't receive for ten minutes loses nothing and is not taken for dead", async () => {
  const io = new SteeredIo();
  await using router = new Router({ io, ...BEATS, receiveHighWaterMark: 10, linger: 0 });
  await router.bind("tcp://127.0.0.1:*");
  await using dealer = new DealerSocket({ io, ...BEATS, sendHighWaterMark: 10, linger: 0 });
  const gone = departures(router, dealer);
  dealer.connect(router.lastEndpoint!);
  // Two others, on another socket, whose round trips let the network do what it can.
  await using one = new DealerSocket({ io, linger: 0 });
  await one.bind("tcp://127.0.0.1:*");
  await using two = new DealerSocket({ io, linger: 0 });
  two.connect(one.lastEndpoint!);
  const trip = async () => {
    await two.send("ping");
    await one.receive();
  };
  const count = 1000;
  const sending = flood(dealer, count, 64 * KIB);
  for (let quiet = 0, seen = -1; quiet < 200; quiet++) {
    await trip();
    if (seen !== sending.sent) quiet = 0;
    seen = sending.sent;
  }
  assert(sending.sent < count, "nothing held it back");
  for (let seconds = 0; seconds < 600; seconds += 0.5) {
    await io.advance(500);
    for (let i = 0; i < 3; i++) await trip();
  }
  // The kernel may have taken a little more, but not all.
  assert(sending.sent < count, "nothing held it back");
  assertEquals(gone, []);
  assertEquals(pipes(router)[0]!.waiting, 10);
  assert(inspect(router).budget.peak < 2 * MIB, `${inspect(router).budget.peak} octets`);
  assert(inspect(dealer).budget.peak < 2 * MIB, `${inspect(dealer).budget.peak} octets`);
  assertEquals(await numbers(router, count), upTo(count));
  await sending.done;
  assertEquals(gone, []);
});
