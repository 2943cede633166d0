import { assert, assertEquals } from "@std/assert";
import { type EngineWorld, inEngineWorld } from "../../tests/conformance/engine_world.ts";
import { message, PLACE, type RawPeer, ready } from "../../tests/conformance/raw_peer.ts";
import { hex, join, OUR_GREETING, PING_HELLO, text } from "../../tests/conformance/vectors.ts";
import type { EngineSettings } from "./settings.ts";

const KIB = 1024;

/** An engine that listens, one raw peer that has shaken hands with it, and its side of the peer. */
async function bound(w: EngineWorld, settings: Partial<EngineSettings> = {}) {
  const made = w.engine(settings);
  await made.engine.bind(PLACE);
  const raw = await w.meet();
  return { ...made, raw, peer: made.told.peers[0]! };
}

/** So many numbered messages. */
function numbered(count: number): Uint8Array {
  return join(...Array.from({ length: count }, (_, i) => message(`${i}`)));
}

function numbers(count: number, from = 0): string[] {
  return Array.from({ length: count }, (_, i) => `${from + i}`);
}

Deno.test("a Link carries messages whole and in order through a window of a few octets", () =>
  inEngineWorld(async (w) => {
    const { raw, peer, told } = await bound(w);
    const large = "x".repeat(200);
    raw.say(message("a", large, ""), message("b"));
    peer.send([text(large), text("c")]);
    peer.send([text("d")]);
    await w.settle();
    assertEquals(told.messages, [`a|${large}|`, "b"]);
    assertEquals(raw.messages(), [`"${large}" "c"`, '"d"']);
  }, { window: 7 }));

Deno.test("a Link writes one batch at a time: what comes meanwhile goes out behind it, as one", () =>
  inEngineWorld(async (w) => {
    const { raw, peer } = await bound(w);
    raw.deafen();
    peer.send([new Uint8Array(300 * KIB)]);
    await w.settle();
    const first = peer.writingBytes;
    for (let i = 0; i < 50; i++) {
      peer.send([text(`${i}`)]);
      await w.settle();
    }
    assertEquals([first, peer.writingMessages, peer.waitingMessages], [300 * KIB + 9, 1, 51]);
    raw.deafen(false);
    await w.settle();
    assertEquals(raw.messages().slice(1), numbers(50).map((it) => `"${it}"`));
    assertEquals(peer.waitingBytes, 0);
  }));

Deno.test("Link.pause() from anywhere: nothing is told until resume(), and then all of it", () =>
  inEngineWorld(async (w) => {
    const { raw, peer, told } = await bound(w);
    peer.pause();
    raw.say(numbered(3));
    await w.settle();
    raw.say(message("last"));
    await w.settle();
    assertEquals(told.messages, []);
    peer.resume();
    await w.settle();
    assertEquals(told.messages, ["0", "1", "2", "last"]);
  }));

Deno.test("Link.pause() inside a message's callback: the next one waits, and TCP pushes back", () =>
  inEngineWorld(async (w) => {
    const { raw, told } = await bound(w);
    told.answer = (peer) => {
      if (told.messages.length % 10 === 0) peer.pause();
    };
    raw.say(numbered(25), new Uint8Array(0), message("y".repeat(255)), numbered(100_000));
    await w.settle();
    assertEquals(told.messages.length, 10);
    const [link] = w.network.connections;
    assertEquals(link!.held("out"), 64 * KIB, "the window is full");
    told.peers[0]!.resume();
    await w.settle();
    assertEquals(told.messages.slice(0, 20), numbers(20));
  }));

Deno.test("a broken Link: what was not begun goes over the next one, in order, nothing twice", () =>
  inEngineWorld(async (w) => {
    const { engine } = w.engine();
    const raws = await w.listen((raw) => raw.shake("ROUTER"));
    const peer = engine.connect(PLACE);
    await w.settle();
    raws[0]!.deafen();
    const body = "z".repeat(100);
    for (let i = 0; i < 20; i++) peer.send([text(`${i}`), text(body)]);
    await w.settle();
    // Some are being written, some are gathered behind them.
    for (let i = 20; i < 30; i++) peer.send([text(`${i}`), text(body)]);
    raws[0]!.deafen(false);
    w.network.connections[0]!.dropAfter(700, "out");
    await w.pass(1000);
    assertEquals(raws.length, 2);
    const of = (raw: RawPeer) => raw.messages().map((line) => Number(line.split('"')[1]));
    const [before, after] = [of(raws[0]!), of(raws[1]!)];
    const all = [...before, ...after];
    assertEquals(all, all.toSorted((a, b) => a - b));
    assertEquals(new Set(all).size, all.length);
    assertEquals(after.at(-1), 29);
    assert(before.length > 0 && after.length > 10);
    // Lost is only what the kernel had taken and what was half sent: the window's worth.
    assert(30 - all.length <= 7, `${30 - all.length} were lost`);
  }, { window: 400 }));

Deno.test("a Link sends no PING or PONG of the old connection over the new one", () =>
  inEngineWorld(async (w) => {
    const { engine } = w.engine();
    const raws = await w.listen((raw) => raw.shake("ROUTER"));
    const peer = engine.connect(PLACE);
    await w.settle();
    const raw = raws[0]!;
    raw.deafen();
    peer.send([new Uint8Array(300)]);
    await w.settle();
    raw.say(PING_HELLO);
    await w.settle();
    peer.send([text("after")]);
    w.network.cut();
    await w.pass(1000);
    assertEquals(raws[1]!.heard().slice(1), ['"after"']);
  }, { window: 100 }));

Deno.test("a Link of an accepted peer takes its queue along", () =>
  inEngineWorld(async (w) => {
    const { engine, raw, peer, told } = await bound(w);
    raw.deafen();
    peer.send([new Uint8Array(1000 * KIB)]);
    await w.settle();
    peer.send([text("more")]);
    w.network.cut();
    await w.settle();
    assertEquals([peer.gone, peer.waitingBytes, engine.budget.used], [true, 0, 0]);
    assertEquals(told.log, ["open", "gone for good"]);
  }));

Deno.test("a Link that is left inside a message keeps nothing of it, and counts it", () =>
  inEngineWorld(async (w) => {
    const { engine, raw, told } = await bound(w);
    raw.say(message("whole"), hex("0105 68656c6c6f 00ff 61*100"));
    await w.settle();
    raw.leave();
    await w.settle();
    assertEquals(told.messages, ["whole"]);
    assertEquals([engine.counters.get("cut-short"), engine.budget.used], [1, 0]);
  }));

Deno.test("a throw in a callback costs that peer only", () =>
  inEngineWorld(async (w) => {
    const { engine, raw, told } = await bound(w);
    const other = await w.meet();
    told.answer = () => {
      if (told.messages.at(-1) === "bomb") throw new RangeError("ours");
    };
    raw.say(message("bomb"), message("never"));
    other.say(message("fine"));
    await w.settle();
    assertEquals(told.messages.toSorted(), ["bomb", "fine"]);
    assertEquals([raw.left, other.left], [true, false]);
    const event = told.events.find(({ type }) => type === "disconnect") as { error?: Error };
    assertEquals(event.error!.message, "ours");
    assertEquals(engine.peers.filter((it) => it !== undefined).length, 1);
  }));

Deno.test("an ERROR arrives before its Link is closed", () =>
  inEngineWorld(async (w) => {
    const { engine, told } = w.engine({ type: "ROUTER" });
    await engine.bind(PLACE);
    const raw = await w.dial();
    raw.say(OUR_GREETING, ready("REP"));
    await w.pass(1000);
    const heard = raw.heard().map((line) => line.split(" ")[0]);
    assertEquals([heard, raw.ended], [["READY", "ERROR"], true]);
    assertEquals(engine.counters.get("socket-type"), 1);
    assertEquals(told.types.at(-1), "handshake:error:protocol");
    assertEquals(told.log, []);
  }));

Deno.test("a peer that onOpen refuses is closed plainly, as if it had never been open", () =>
  inEngineWorld(async (w) => {
    const { engine, told } = w.engine();
    told.welcome = false;
    await engine.bind(PLACE);
    const raw = await w.meet();
    assertEquals([raw.left, told.log], [true, ["open"]]);
    assertEquals(raw.heard().filter((line) => line.startsWith("ERROR")), []);
    assertEquals(told.types, ["bind", "accept"]);
  }));

Deno.test("a flood of PINGs whose PONGs nobody reads stops being read, and loses none of them", () =>
  inEngineWorld(async (w) => {
    const { engine, raw } = await bound(w);
    const other = await w.meet();
    raw.deafen();
    const count = 200_000;
    const flood = new Uint8Array(count * PING_HELLO.length);
    for (let i = 0; i < count; i++) flood.set(PING_HELLO, i * PING_HELLO.length);
    raw.say(flood);
    await w.settle();
    assert(engine.budget.peak < 1200 * KIB, `${engine.budget.peak} octets`);
    other.say(PING_HELLO);
    await w.settle();
    assertEquals(other.heard().slice(1), ["PONG 68656c6c6f"]);
    const held = w.network.connections[0]!.held("out");
    assertEquals(held, 64 * KIB, "its window is full");
    raw.deafen(false);
    await w.settle();
    const pong = 2 + 5 + 5;
    assertEquals(raw.octets.length, 64 + ready("DEALER").length + count * pong);
  }));

Deno.test("Link.end() sends what waits, says farewell, and goes when the other side does", () =>
  inEngineWorld(async (w) => {
    const { engine, raw, peer } = await bound(w);
    peer.send([new Uint8Array(200 * KIB)]);
    peer.send([text("bye")]);
    const done = engine.close(-1);
    await w.settle();
    assertEquals([raw.messages().at(-1), raw.ended], ['"bye"', true]);
    assertEquals(w.network.connections.length, 1);
    raw.leave();
    await w.settle();
    await done;
    assertEquals(w.network.now, 0);
  }));

Deno.test("Link.end() waits at most a second for the other side, and throws away what it says", () =>
  inEngineWorld(async (w) => {
    const { engine, raw, told } = await bound(w);
    let over = -1;
    engine.close(-1).then(() => over = w.network.now);
    raw.say(message("too late"));
    await w.pass(5000);
    assertEquals([over, told.messages], [1000, []]);
  }));

Deno.test("Link.end() takes no more once it said farewell, and what is sent then vanishes", () =>
  inEngineWorld(async (w) => {
    const { engine, raw, peer } = await bound(w);
    const done = engine.close(-1);
    await w.settle();
    assertEquals(raw.ended, true);
    peer.send([text("one thing more")]);
    await w.pass(1000);
    await done;
    assertEquals([raw.messages(), engine.budget.used], [[], 0]);
  }));

Deno.test("a Link that doesn't shake hands in time is closed", () =>
  inEngineWorld(async (w) => {
    const { engine, told } = w.engine();
    await engine.bind(PLACE);
    const raw = await w.dial();
    raw.say(OUR_GREETING);
    await w.pass(29_999);
    assertEquals(raw.left, false);
    await w.pass(1);
    assertEquals([raw.left, engine.counters.get("handshake")], [true, 1]);
    assertEquals(told.types.at(-1), "handshake:error:other");
  }));
