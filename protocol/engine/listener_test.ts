import { assertEquals } from "@std/assert";
import { inEngineWorld } from "../../tests/conformance/engine_world.ts";
import { PLACE } from "../../tests/conformance/raw_peer.ts";
import type { Io, IoConnection, IoListener } from "../io/io.ts";

/** A world whose listeners fail to take a connection whenever `failures` is above 0. */
function failing(io: Io): { readonly io: Io; failures: number; accepts: number } {
  const fault = { io, failures: 0, accepts: 0 };
  const listen = async (...args: Parameters<Io["listen"]>): Promise<IoListener> => {
    const listener = await io.listen(...args);
    return {
      address: listener.address,
      close: () => listener.close(),
      accept: (): Promise<IoConnection> => {
        fault.accepts++;
        if (fault.failures-- > 0) return Promise.reject(new Error("Too many open files"));
        return listener.accept();
      },
    };
  };
  return Object.assign(fault, { io: { ...io, listen } });
}

Deno.test("a Listener survives accept errors, and waits 100 ms after each", () =>
  inEngineWorld(async (w) => {
    const fault = failing(w.network.io("engine"));
    fault.failures = 3;
    const { engine, told } = w.engineOn(fault.io);
    const times: number[] = [];
    told.onEvent = (event) => {
      if (event.type !== "accept:error") return;
      times.push(w.network.now);
      assertEquals(event.error.message, "Too many open files");
    };
    await engine.bind(PLACE);
    await w.settle();
    assertEquals([fault.accepts, times.length], [1, 1]);
    await w.pass(99);
    assertEquals(fault.accepts, 1);
    await w.pass(1);
    assertEquals(fault.accepts, 2);
    await w.pass(10_000);
    assertEquals(times, [0, 100, 200]);
    assertEquals([fault.accepts, engine.counters.get("accept")], [4, 3]);
    const raw = await w.meet();
    assertEquals([told.log, raw.left], [["open"], false]);
  }));

Deno.test("a Listener that fails for ever doesn't spin", () =>
  inEngineWorld(async (w) => {
    const fault = failing(w.network.io("engine"));
    fault.failures = Infinity;
    const { engine } = w.engineOn(fault.io);
    await engine.bind(PLACE);
    await w.pass(10_000);
    assertEquals(fault.accepts, 101);
  }));

Deno.test("Listener.close() in its pause ends it: no accept and no timer is left", () =>
  inEngineWorld(async (w) => {
    const fault = failing(w.network.io("engine"));
    fault.failures = 1;
    const { engine, told } = w.engineOn(fault.io);
    await engine.bind(PLACE);
    await w.settle();
    engine.unbind(PLACE);
    await w.pass(10_000);
    assertEquals(fault.accepts, 1);
    assertEquals(told.types, ["bind", "accept:error", "close"]);
  }));

Deno.test("Listener.close() drops a connection that arrives at the same time, and tells no error", () =>
  inEngineWorld(async (w) => {
    const { engine, told } = w.engine();
    await engine.bind(PLACE);
    const dialing = w.dial();
    engine.unbind(PLACE);
    await dialing.catch(() => {});
    await w.settle();
    assertEquals(told.types.filter((type) => type !== "bind"), ["close"]);
    assertEquals(w.network.connections.length, 0);
  }));

Deno.test("a Listener's peers stay when it closes", () =>
  inEngineWorld(async (w) => {
    const { engine, told } = w.engine();
    await engine.bind(PLACE);
    const raw = await w.meet();
    engine.unbind(PLACE);
    await w.pass(1000);
    told.peers[0]!.send([new Uint8Array([65])]);
    await w.settle();
    assertEquals([raw.messages(), raw.left], [['"A"'], false]);
  }));
