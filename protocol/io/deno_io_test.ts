import {
  assert,
  assertEquals,
  assertRejects,
  assertStringIncludes,
  assertThrows,
} from "@std/assert";
import { SocketError } from "../errors.ts";
import { denoIo } from "./deno_io.ts";
import type { Io, IoConnection, IoListener, IoSink } from "./io.ts";

const LOCAL = { hostname: "127.0.0.1", port: 0 };

function never(): AbortSignal {
  return new AbortController().signal;
}

/** Turns completions into promises, one kind each. */
class Recorder implements IoSink {
  read = Promise.withResolvers<number>();
  written = Promise.withResolvers<number>();
  failed = Promise.withResolvers<Error>();
  told = 0;

  onRead(count: number): void {
    this.told++;
    this.read.resolve(count);
    this.read = Promise.withResolvers();
  }

  onWritten(count: number): void {
    this.told++;
    this.written.resolve(count);
    this.written = Promise.withResolvers();
  }

  onFailed(error: Error): void {
    this.told++;
    this.failed.resolve(error);
  }
}

interface Pair extends Disposable {
  readonly listener: IoListener;
  readonly a: IoConnection;
  readonly b: IoConnection;
  readonly atA: Recorder;
  readonly atB: Recorder;
}

async function pair(io: Io): Promise<Pair> {
  const listener = await io.listen(LOCAL, 10);
  const [a, b] = await Promise.all([
    io.connect(listener.address, never()),
    listener.accept(),
  ]);
  const [atA, atB] = [new Recorder(), new Recorder()];
  a.attach(atA);
  b.attach(atB);
  return {
    listener,
    a,
    b,
    atA,
    atB,
    [Symbol.dispose]() {
      a.close();
      b.close();
      listener.close();
    },
  };
}

function test(name: string, run: () => Promise<void>): void {
  Deno.test({
    name,
    permissions: { net: ["127.0.0.1"] },
    sanitizeOps: true,
    sanitizeResources: true,
    fn: run,
  });
}

test("connect() and accept() know both addresses", async () => {
  using pipe = await pair(denoIo());
  assert(pipe.listener.address.port > 0);
  assertEquals(pipe.a.remote, pipe.listener.address);
  assertEquals(pipe.b.local, pipe.listener.address);
  assertEquals(pipe.a.local, pipe.b.remote);
});

test("read() and write() carry octets and the end of the stream", async () => {
  using pipe = await pair(denoIo());
  const into = new Uint8Array(10);
  const read = pipe.atB.read.promise;
  const written = pipe.atA.written.promise;
  pipe.b.read(into);
  pipe.a.write(new Uint8Array([1, 2, 3]));
  assertEquals(pipe.atA.told + pipe.atB.told, 0);
  assertEquals(await written, 3);
  assertEquals(await read, 3);
  assertEquals([...into.subarray(0, 3)], [1, 2, 3]);
  const end = pipe.atB.read.promise;
  pipe.b.read(into);
  pipe.a.closeWrite();
  assertEquals(await end, 0);
  // The other direction is still open.
  const back = pipe.atA.read.promise;
  pipe.a.read(into);
  pipe.b.write(new Uint8Array([9]));
  assertEquals(await back, 1);
});

test("read() and write() refuse empty buffers and a second one under way", async () => {
  using pipe = await pair(denoIo());
  const { a } = pipe;
  assertThrows(() => a.read(new Uint8Array()), RangeError, "Cannot read");
  assertThrows(() => a.write(new Uint8Array()), RangeError, "Cannot write");
  a.read(new Uint8Array(1));
  assertThrows(() => a.read(new Uint8Array(1)), Error, "under way");
  assertThrows(() => a.attach(pipe.atB), Error, "Cannot attach");
});

test("close() tells nothing afterwards, whatever is under way", async () => {
  using pipe = await pair(denoIo());
  const end = pipe.atB.read.promise;
  pipe.a.read(new Uint8Array(10));
  pipe.a.write(new Uint8Array(1 << 26));
  pipe.a.close();
  pipe.a.close();
  pipe.a.read(new Uint8Array(1));
  pipe.a.write(new Uint8Array(1));
  pipe.a.closeWrite();
  pipe.b.read(new Uint8Array(1 << 16));
  await end;
  assertEquals(pipe.atA.told, 0);
});

test("onFailed() is told once when the peer is gone", async () => {
  using pipe = await pair(denoIo());
  pipe.b.close();
  // The first writes are taken by the system; one of the next fails.
  let error: Error | undefined;
  pipe.atA.failed.promise.then((failure) => error = failure);
  while (error === undefined) {
    const next = Promise.race([pipe.atA.written.promise, pipe.atA.failed.promise]);
    pipe.a.write(new Uint8Array(100));
    await next;
  }
  const told = pipe.atA.told;
  pipe.a.write(new Uint8Array(1));
  assertEquals(pipe.atA.told, told);
});

test("a sink that throws loses its connection and is told why", async () => {
  const io = denoIo();
  const listener = await io.listen(LOCAL, 10);
  const [a, b] = await Promise.all([io.connect(listener.address, never()), listener.accept()]);
  const failed = Promise.withResolvers<Error>();
  b.attach({
    onRead: () => {
      throw new Error("a bug");
    },
    onWritten: () => {},
    onFailed: failed.resolve,
  });
  const atA = new Recorder();
  a.attach(atA);
  b.read(new Uint8Array(1));
  a.write(new Uint8Array([1]));
  assertEquals((await failed.promise).message, "a bug");
  const end = atA.read.promise;
  a.read(new Uint8Array(1));
  assertEquals(await end, 0);
  a.close();
  listener.close();
});

test("a sink that throws in onFailed() is reported", async () => {
  const pipe = await pair(denoIo());
  const { promise, resolve } = Promise.withResolvers<unknown>();
  const onError = (event: ErrorEvent) => {
    event.preventDefault();
    resolve(event.error);
  };
  addEventListener("error", onError);
  const bug = new Error("a bug of a bug");
  pipe.atB.onRead = pipe.atB.onFailed = () => {
    throw bug;
  };
  pipe.b.read(new Uint8Array(1));
  pipe.a.write(new Uint8Array([1]));
  assertEquals(await promise, bug);
  removeEventListener("error", onError);
  pipe[Symbol.dispose]();
});

test("listen() rejects with a code for a port in use and a foreign address", async () => {
  const io = denoIo();
  const listener = await io.listen(LOCAL, 10);
  const used = await assertRejects(() => io.listen(listener.address, 10), SocketError);
  assertEquals(used.code, "EADDRINUSE");
  assertStringIncludes(used.message, "Cannot bind tcp://127.0.0.1:");
  listener.close();
  const denied = await assertRejects(
    () => io.listen({ hostname: "192.0.2.1", port: 0 }, 10),
    SocketError,
  );
  assertEquals(denied.code, "EACCES");
  assertStringIncludes(denied.message, "--allow-net");
});

test("listen() takes a port again at once, with connections of old still open", async () => {
  const io = denoIo();
  using pipe = await pair(io);
  pipe.listener.close();
  const again = await io.listen(pipe.listener.address, 10);
  again.close();
  // The side that listened closes first, so that its connection goes through TIME_WAIT.
  const end = pipe.atA.read.promise;
  pipe.b.close();
  pipe.a.read(new Uint8Array(1));
  assertEquals(await end, 0);
  pipe.a.close();
  const third = await io.listen(pipe.listener.address, 10);
  third.close();
});

test("accept() rejects when the listener closes, and afterwards", async () => {
  const listener = await denoIo().listen(LOCAL, 10);
  const pending = assertRejects(() => listener.accept(), SocketError, "closed");
  listener.close();
  listener.close();
  await pending;
  assertEquals((await assertRejects(() => listener.accept(), SocketError)).code, "EBADF");
});

test("connect() rejects when refused, denied or aborted", async () => {
  const io = denoIo();
  const listener = await io.listen(LOCAL, 10);
  const reason = new Error("enough");
  const early = await assertRejects(() => io.connect(listener.address, AbortSignal.abort(reason)));
  assertEquals(early, reason);
  const controller = new AbortController();
  const late = assertRejects(() => io.connect(listener.address, controller.signal));
  controller.abort(reason);
  assertEquals(await late, reason);
  listener.close();
  await assertRejects(() => io.connect(listener.address, never()), Deno.errors.ConnectionRefused);
  const denied = await assertRejects(
    () => io.connect({ hostname: "192.0.2.1", port: 9 }, never()),
    SocketError,
  );
  assertEquals(denied.code, "EACCES");
});

Deno.test({
  name: "connect() by the name localhost reaches an IPv4 listener",
  fn: async () => {
    const io = denoIo();
    const listener = await io.listen(LOCAL, 10);
    const { port } = listener.address;
    const [a, b] = await Promise.all([
      io.connect({ hostname: "localhost", port }, never()),
      listener.accept(),
    ]);
    for (const each of [a, b, listener]) each.close();
  },
});

test("aborting after connect() leaves the connection alone", async () => {
  const io = denoIo();
  const listener = await io.listen(LOCAL, 10);
  const controller = new AbortController();
  const [a, b] = await Promise.all([
    io.connect(listener.address, controller.signal),
    listener.accept(),
  ]);
  controller.abort();
  const atB = new Recorder();
  a.attach(new Recorder());
  b.attach(atB);
  const read = atB.read.promise;
  b.read(new Uint8Array(4));
  a.write(new Uint8Array(4));
  assertEquals(await read, 4);
  for (const each of [a, b, listener]) each.close();
});

test("setTimer() calls back unless cleared, and now() has moved on", async () => {
  const io = denoIo();
  const start = io.now();
  const { promise, resolve } = Promise.withResolvers<void>();
  io.clearTimer(io.setTimer(() => resolve(), 0));
  let order = "";
  io.clearTimer(io.setTimer(() => order += "cleared", 1));
  io.setTimer(() => {
    order += "rang";
    resolve();
  }, 2);
  await promise;
  assertEquals(order, "rang");
  assert(io.now() > start);
});

test("random() stays from 0 to below 1 and differs", async () => {
  const io = denoIo();
  const numbers = Array.from({ length: 1000 }, () => io.random());
  assert(numbers.every((x) => x >= 0 && x < 1));
  assert(new Set(numbers).size > 990);
  await Promise.resolve();
});

test("now() and timers take no notice when the wall clock is moved by an hour", async () => {
  const io = denoIo();
  const real = Date.now;
  for (const hour of [3_600_000, -3_600_000]) {
    const before = io.now();
    Date.now = () => real() + hour;
    try {
      const rang = await new Promise<number>((resolve) => io.setTimer(() => resolve(io.now()), 1));
      assert(rang >= before && rang - before < 60_000, `${rang - before} ms passed`);
    } finally {
      Date.now = real;
    }
  }
});
