import { assertEquals, assertRejects, assertThrows } from "@std/assert";
import { inEngineWorld } from "../../tests/conformance/engine_world.ts";
import { ELSEWHERE, message, PLACE } from "../../tests/conformance/raw_peer.ts";
import { OUR_GREETING, text } from "../../tests/conformance/vectors.ts";
import { SocketError } from "../errors.ts";

Deno.test("Engine.bind() gives the real endpoint; a second one there is EADDRINUSE, told and thrown", () =>
  inEngineWorld(async (w) => {
    const { engine, told } = w.engine();
    const any = await engine.bind("tcp://127.0.0.1:*");
    assertEquals(/^tcp:\/\/127\.0\.0\.1:[1-9]\d*$/.test(any), true);
    assertEquals(await engine.bind(PLACE), PLACE);
    const error = await assertRejects(() => engine.bind(PLACE), SocketError);
    assertEquals([error.code, told.types], ["EADDRINUSE", ["bind", "bind", "bind:error"]]);
  }));

Deno.test("Engine.unbind() and disconnect() of what isn't there throw ENOENT", () =>
  inEngineWorld((w) => {
    const { engine } = w.engine();
    for (const act of [() => engine.unbind(PLACE), () => engine.disconnect(PLACE)]) {
      assertEquals(assertThrows(act, SocketError).code, "ENOENT");
    }
    return Promise.resolve();
  }));

Deno.test("Engine.accept() takes connections up to its limit, and again when one has left", () =>
  inEngineWorld(async (w) => {
    const { engine } = w.engine({ connections: 2 });
    await engine.bind(PLACE);
    const [one, two, three] = [await w.meet(), await w.meet(), await w.meet()];
    assertEquals([one, two, three].map(({ left }) => left), [false, false, true]);
    assertEquals(engine.counters.get("connections"), 1);
    one.leave();
    await w.settle();
    assertEquals((await w.meet()).left, false);
  }));

Deno.test("Engine.accept() drops the oldest that hasn't shaken hands when there are too many", () =>
  inEngineWorld(async (w) => {
    const { engine } = w.engine({ handshakes: 2 });
    await engine.bind(PLACE);
    const open = await w.meet();
    const [one, two, three] = [await w.dial(), await w.dial(), await w.dial()];
    await w.settle();
    assertEquals([open, one, two, three].map(({ left }) => left), [false, true, false, false]);
    assertEquals(engine.counters.get("handshakes"), 1);
    two.shake();
    await w.settle();
    const four = await w.dial();
    await w.settle();
    assertEquals([two.left, three.left, four.left], [false, false, false]);
  }));

Deno.test("a peer's id is used again, its serial never", () =>
  inEngineWorld(async (w) => {
    const { engine, told } = w.engine();
    await engine.bind(PLACE);
    const first = await w.meet();
    await w.meet();
    first.leave();
    await w.settle();
    await w.meet();
    assertEquals(told.peers.map(({ id }) => id), [0, 1, 0]);
    assertEquals(told.peers.map(({ serial }) => serial), [1, 2, 3]);
  }));

Deno.test("a tick that comes late expires nobody: what waits is read first", () =>
  inEngineWorld(async (w) => {
    let stopped = 0;
    const real = w.network.io("engine");
    const io = { ...real, now: () => real.now() + stopped };
    const { engine, told } = w.engineOn(io, { heartbeatInterval: 1000, heartbeatTimeout: 1000 });
    await engine.bind(PLACE);
    const raw = await w.meet();
    await w.pass(1500);
    assertEquals(raw.count("PING 0000"), 1);
    // The process stood still for a minute: the deadline of 2,000 comes up at 62,000.
    stopped = 60_000;
    await w.pass(999);
    assertEquals([raw.left, told.log], [false, ["open"]]);
    raw.say(message("still here"));
    await w.settle();
    assertEquals([raw.left, told.messages], [false, ["still here"]]);
    // From then on the clock is trusted again.
    await w.pass(3000);
    assertEquals([raw.left, engine.counters.get("dead")], [true, 1]);
  }));

Deno.test("Engine.close(0) drops what waits, at once, and resolves the same promise for all", () =>
  inEngineWorld(async (w) => {
    const { engine, told } = w.engine();
    await engine.bind(PLACE);
    const raw = await w.meet();
    raw.deafen();
    told.peers[0]!.send([new Uint8Array(1_000_000)]);
    const absent = engine.connect(ELSEWHERE);
    absent.send([text("nobody")]);
    await w.settle();
    const done = engine.close(0);
    assertEquals(engine.close(-1), done);
    await done;
    assertEquals([w.network.now, engine.budget.used, absent.gone], [0, 0, true]);
  }));

Deno.test("Engine.close() with a linger gives up when it is over", () =>
  inEngineWorld(async (w) => {
    const { engine } = w.engine();
    const peer = engine.connect(PLACE);
    peer.send([text("late")]);
    let over = -1;
    engine.close(700).then(() => over = w.network.now);
    await w.pass(699);
    assertEquals(over, -1);
    await w.pass(1);
    assertEquals([over, peer.gone], [700, true]);
  }));

Deno.test("Engine.close(-1) waits for one who isn't there yet, unless told to give up the absent", () =>
  inEngineWorld(async (w) => {
    const patient = w.engine().engine;
    const hasty = w.engine().engine;
    for (const engine of [patient, hasty]) engine.connect(PLACE).send([text("kept")]);
    let over = "";
    patient.close(-1).then(() => over += "patient ");
    hasty.close(-1, true).then(() => over += "hasty ");
    await w.pass(10_000);
    assertEquals(over, "hasty ");
    const raws = await w.listen((raw) => raw.shake("ROUTER"));
    await w.pass(10_000);
    assertEquals([over, raws.map((raw) => raw.messages())], ["hasty patient ", [['"kept"']]]);
  }));

Deno.test("Engine.close() takes no new connection and drops one that hasn't shaken hands", () =>
  inEngineWorld(async (w) => {
    const { engine } = w.engine();
    await engine.bind(PLACE);
    const raw = await w.dial();
    raw.say(OUR_GREETING);
    await w.settle();
    const done = engine.close(-1);
    await w.settle();
    await done;
    assertEquals(raw.left, true);
    await assertRejects(() => w.dial());
    await assertRejects(() => engine.bind(PLACE), SocketError, "closed");
  }));
