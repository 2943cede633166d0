import { assertEquals, assertRejects } from "@std/assert";
import type { Event } from "../engine/events.ts";
import { SocketError } from "../errors.ts";
import { controlOf, Observer, WAITING_EVENTS } from "./events.ts";

function bind(port: number): Event {
  return { type: "bind", address: `tcp://127.0.0.1:${port}` };
}

function portOf(event: Event): number {
  return Number(event.address.split(":").at(-1));
}

Deno.test("Observer.on() calls back for its type, each listener once for each time it was added", () => {
  const observer = new Observer();
  const log: string[] = [];
  const twice = () => log.push("twice");
  observer.on("bind", ({ address }) => log.push(address)).on("bind", twice).on("bind", twice);
  observer.on("close", () => log.push("close"));
  controlOf(observer).emit(bind(1));
  assertEquals(log, ["tcp://127.0.0.1:1", "twice", "twice"]);
  observer.off("bind", twice).off("bind", () => {}).off("accept", twice);
  controlOf(observer).emit(bind(2));
  assertEquals(log.slice(3), ["tcp://127.0.0.1:2", "twice"]);
});

Deno.test("a listener that throws harms no other, and is reported", () => {
  const observer = new Observer();
  const log: string[] = [];
  observer.on("bind", () => {
    throw new Error("mine");
  });
  observer.on("bind", () => log.push("other"));
  const report = (event: ErrorEvent) => {
    event.preventDefault();
    log.push(event.error.message);
  };
  globalThis.addEventListener("error", report);
  try {
    controlOf(observer).emit(bind(1));
  } finally {
    globalThis.removeEventListener("error", report);
  }
  assertEquals(log, ["mine", "other"]);
});

Deno.test("a listener may remove itself while it is called", () => {
  const observer = new Observer();
  const log: string[] = [];
  const once = () => {
    log.push("once");
    observer.off("bind", once);
  };
  observer.on("bind", once).on("bind", () => log.push("each"));
  controlOf(observer).emit(bind(1));
  controlOf(observer).emit(bind(2));
  assertEquals(log, ["once", "each", "each"]);
});

Deno.test("Observer.receive() gives what waits, then what comes; calls queue up", async () => {
  const observer = new Observer();
  const control = controlOf(observer);
  control.watch();
  control.emit(bind(1));
  const calls = [observer.receive(), observer.receive(), observer.receive()];
  control.emit(bind(2));
  control.emit(bind(3));
  assertEquals((await Promise.all(calls)).map(portOf), [1, 2, 3]);
});

Deno.test("an Observer that nobody holds keeps nothing, nor one that only has listeners", async () => {
  for (const hold of [() => {}, (observer: Observer) => observer.on("bind", () => {})]) {
    const observer = new Observer();
    hold(observer);
    controlOf(observer).emit(bind(1));
    const next = observer.receive();
    controlOf(observer).emit(bind(2));
    assertEquals(portOf(await next), 2);
  }
});

Deno.test("an Observer that is read too slowly forgets the oldest events", async () => {
  const observer = new Observer();
  const control = controlOf(observer);
  control.watch();
  for (let i = 1; i <= WAITING_EVENTS + 5; i++) control.emit(bind(i));
  assertEquals(portOf(await observer.receive()), 6);
});

Deno.test("Observer's iterator ends when the socket does, behind what waits", async () => {
  const observer = new Observer();
  const control = controlOf(observer);
  const ports: number[] = [];
  const reading = (async () => {
    for await (const event of observer) ports.push(portOf(event));
  })();
  control.emit(bind(1));
  control.emit(bind(2));
  control.finish();
  control.emit(bind(3));
  await reading;
  assertEquals([ports, observer.closed], [[1, 2], true]);
});

Deno.test("Observer.receive() rejects: EAGAIN if it waited when it was closed, EBADF afterwards", async () => {
  const observer = new Observer();
  const waiting = observer.receive();
  observer.close();
  assertEquals((await assertRejects(() => waiting, SocketError)).code, "EAGAIN");
  assertEquals((await assertRejects(() => observer.receive(), SocketError)).code, "EBADF");
});

Deno.test("Observer.close() forgets what waits, the socket's end doesn't", async () => {
  const kept = new Observer();
  const dropped = new Observer();
  for (const observer of [kept, dropped]) {
    controlOf(observer).watch();
    controlOf(observer).emit(bind(1));
  }
  controlOf(kept).finish();
  dropped.close();
  assertEquals(portOf(await kept.receive()), 1);
  await assertRejects(() => dropped.receive(), SocketError);
});
