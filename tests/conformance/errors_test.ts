/**
 * Errors and their codes, line 45 of the checklist.
 *
 * @module
 */
import { assert, assertEquals, assertRejects, assertThrows } from "@std/assert";
import { ArgumentError, type Dealer, Router, SocketError } from "../../protocol/mod.ts";
import {
  drain,
  ELSEWHERE,
  inWorld,
  message,
  outcome,
  PLACE,
  thrown,
  words,
  type World,
  zmtp,
} from "./raw_peer.ts";

zmtp(45, "a send or receive that times out fails with EAGAIN", async (w) => {
  const dealer = w.dealer({ sendTimeout: 10, receiveTimeout: 20 });
  const [sent, received] = [outcome(dealer.send("x")), outcome(dealer.receive())];
  await w.pass(20);
  assertEquals([await sent, await received], ["EAGAIN", "EAGAIN"]);
  dealer.sendTimeout = dealer.receiveTimeout = 0;
  assertEquals(await outcome(dealer.send("x")), "EAGAIN");
  assertEquals(await outcome(dealer.receive()), "EAGAIN");
});

zmtp(45, "a send or receive that is cut by close fails with EAGAIN", async (w) => {
  const dealer = w.dealer({ sendTimeout: 1000 });
  const calls = [dealer.send("1"), dealer.send("2"), dealer.receive(), dealer.receive()];
  const outcomes = Promise.all(calls.map(outcome));
  dealer.close();
  assertEquals(await outcomes, ["EAGAIN", "EAGAIN", "EAGAIN", "EAGAIN"]);
});

zmtp(45, "a send to nobody fails with EHOSTUNREACH if it is mandatory", async (w) => {
  const router = w.router({ mandatory: true });
  assertEquals(await outcome(router.send(["nobody", "x"])), "EHOSTUNREACH");
});

zmtp(45, "a call out of turn fails with EFSM", async (w) => {
  assertEquals(await outcome(w.rep().send("x")), "EFSM");
  assertEquals(await outcome(w.req().receive()), "EFSM");
});

/** Endpoints that nobody can bind or connect to, with the word that says why. */
const BAD: readonly [endpoint: unknown, why: string][] = [
  ["", "tcp://"],
  ["nonsense", "tcp://"],
  ["http://127.0.0.1:80", "tcp://"],
  ["TCP://127.0.0.1:80", "tcp://"],
  ["tcp://", "port"],
  ["tcp://127.0.0.1", "port"],
  ["tcp://127.0.0.1:", "port"],
  ["tcp://127.0.0.1:x", "port"],
  ["tcp://127.0.0.1:-1", "port"],
  ["tcp://127.0.0.1:65536", "port"],
  ["tcp://127.0.0.1:1e3", "port"],
  ["tcp://:5555", "host"],
  ["tcp://a b:5555", "host"],
  ["tcp://::1:5555", "brackets"],
  ["tcp://[nonsense]:5555", "brackets"],
  ["tcp://[::1]", "port"],
  [undefined, "string"],
  [5555, "string"],
  ["tcp://" + "x".repeat(600) + ":1", "longer"],
];

zmtp(45, "a bad endpoint is a TypeError with code EINVAL that shows a good one", async (w) => {
  const router = w.router();
  for (const [endpoint, why] of BAD) {
    const bad = endpoint as string;
    const errors = [
      assertThrows(() => router.connect(bad), TypeError, "Cannot connect"),
      await assertRejects(() => router.bind(bad), TypeError, "Cannot bind"),
    ];
    for (const error of errors) {
      assert(error instanceof ArgumentError && error.code === "EINVAL", String(endpoint));
      assert(error.message.includes(why), error.message);
      assert(error.message.includes("tcp://127.0.0.1:5555"), error.message);
    }
  }
  for (const open of ["tcp://*:5555", "tcp://127.0.0.1:*", "tcp://127.0.0.1:0"]) {
    assertEquals(thrown(() => router.connect(open)), "EINVAL");
  }
});

zmtp(45, "a transport that is not spoken fails with EPROTONOSUPPORT and a sentence", async (w) => {
  const router = w.router();
  for (const endpoint of ["ipc:///tmp/x", "inproc://x", "udp://127.0.0.1:1", "ws://127.0.0.1:1"]) {
    const errors = [
      assertThrows(() => router.connect(endpoint), TypeError, "is not supported, only tcp is"),
      await assertRejects(() => router.bind(endpoint), TypeError, "is not supported, only tcp is"),
    ];
    for (const error of errors) assertEquals((error as ArgumentError).code, "EPROTONOSUPPORT");
  }
});

zmtp(45, "good endpoints are taken", async (w) => {
  const dealer = w.dealer();
  for (const good of ["tcp://127.0.0.1:1", "tcp://a-b.example_c.org:65535", "tcp://[::1]:5555"]) {
    assertEquals(thrown(() => dealer.connect(good)), "done", good);
    assertEquals(dealer.lastEndpoint, good);
  }
  for (const good of ["tcp://*:5556", "tcp://[::]:5557", "tcp://0.0.0.0:0", "tcp://[::1]:*"]) {
    assertEquals(await outcome(dealer.bind(good)), "done", good);
  }
});

zmtp(45, "a bad option fails with EINVAL", (w) => {
  assertEquals(thrown(() => w.dealer({ linger: -2 })), "EINVAL");
  assertEquals(thrown(() => w.dealer().sendTimeout = 0.5), "EINVAL");
  assertEquals(thrown(() => w.router().connect(PLACE, { routingId: "\0" })), "EINVAL");
  return Promise.resolve();
});

async function assertInUse(first: Router, second: Router, endpoint: string): Promise<void> {
  await first.bind(endpoint);
  const error = await assertRejects(() => second.bind(first.lastEndpoint!), SocketError);
  assertEquals(error.code, "EADDRINUSE");
  assert(error.message.includes(first.lastEndpoint!), error.message);
}

zmtp(45, "a port in use fails with EADDRINUSE", async (w) => {
  await assertInUse(w.router(), w.router(), "tcp://127.0.0.1:*");
});

Deno.test("zmtp 45: a port of the system in use fails with EADDRINUSE", async () => {
  await using first = new Router();
  await using second = new Router();
  await assertInUse(first, second, "tcp://127.0.0.1:*");
});

zmtp(45, "unbind or disconnect of what isn't fails with ENOENT", async (w) => {
  const router = w.router();
  assertEquals(await outcome(router.unbind(PLACE)), "ENOENT");
  assertEquals(thrown(() => router.disconnect(PLACE)), "ENOENT");
  await router.bind(PLACE);
  router.connect(ELSEWHERE);
  assertEquals(await outcome(router.unbind(ELSEWHERE)), "ENOENT");
  assertEquals(thrown(() => router.disconnect(PLACE)), "ENOENT");
  await router.unbind(PLACE);
  router.disconnect(ELSEWHERE);
  assertEquals(await outcome(router.unbind(PLACE)), "ENOENT");
  assertEquals(thrown(() => router.disconnect(ELSEWHERE)), "ENOENT");
});

zmtp(45, "every call on a closed socket fails with EBADF", async (w) => {
  for (const socket of [w.router(), w.dealer(), w.req(), w.rep()]) {
    await socket.bind("tcp://127.0.0.1:*");
    socket.close();
    assertEquals(await outcome(socket.send(["x", "y"])), "EBADF");
    assertEquals(await outcome(socket.receive()), "EBADF");
    assertEquals(await outcome(socket.bind(PLACE)), "EBADF");
    assertEquals(await outcome(socket.unbind(PLACE)), "EBADF");
    assertEquals(thrown(() => socket.connect(PLACE)), "EBADF");
    assertEquals(thrown(() => socket.disconnect(PLACE)), "EBADF");
    assertEquals(thrown(() => socket.close()), "done");
  }
});

zmtp(45, "a bind that close() overtakes fails with EBADF and leaves no listener", async (w) => {
  const router = w.router();
  const binding = outcome(router.bind(PLACE));
  router.close();
  assertEquals(await binding, "EBADF");
  assertEquals(await outcome(w.router().bind(PLACE)), "done");
});

/** Iterates a socket until its iterator ends, and gives what came. */
async function iterate(w: World, body: (dealer: Dealer) => void): Promise<string[]> {
  const dealer = w.dealer();
  await dealer.bind(PLACE);
  const got: string[] = [];
  const iterating = (async () => {
    for await (const frames of dealer) {
      got.push(words(frames).join("|"));
      body(dealer);
    }
  })();
  (await w.meet()).say(message("1"), message("2"), message("3"));
  await w.settle();
  dealer.close();
  await iterating;
  return got;
}

zmtp(45, "the iterator ends on close while it waits", async (w) => {
  assertEquals(await iterate(w, () => {}), ["1", "2", "3"]);
});

zmtp(45, "the iterator ends on close between two messages", async (w) => {
  assertEquals(await iterate(w, (dealer) => dealer.close()), ["1"]);
});

zmtp(
  45,
  "the iterator of a closed socket ends at once, and other errors come out of it",
  async (w) => {
    const closed = w.dealer();
    closed.close();
    for await (const _ of closed) throw new Error("nothing can come");
    const timed = w.dealer({ receiveTimeout: 10 });
    const iterating = outcome((async () => {
      for await (const _ of timed) throw new Error("nothing can come");
    })());
    await w.pass(10);
    assertEquals(await iterating, "EAGAIN");
  },
);

Deno.test("zmtp 45: an error is an Error with a name, a code and a sentence", async () => {
  await inWorld(async (w) => {
    const dealer = w.dealer({ sendTimeout: 0 });
    const error = await assertRejects(() => dealer.send("x"), SocketError, "Cannot send: ");
    assertEquals([error.name, error.code], ["SocketError", "EAGAIN"]);
    assertEquals(error.message.endsWith("."), false);
    await drain(dealer);
  });
});
