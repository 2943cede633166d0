/**
 * Events, line 46 of the checklist: each type with its address, error, interval and identity.
 *
 * @module
 */
import { assert, assertEquals, assertInstanceOf } from "@std/assert";
import { AuthError, ProtocolError, type Socket, SocketError } from "../../protocol/mod.ts";
import type { Event, EventType } from "../../protocol/mod.ts";
import type { Io } from "../../protocol/io/io.ts";
import { ELSEWHERE, outcome, PLACE, record, zmtp } from "./raw_peer.ts";
import { ERROR_400, hex, OUR_GREETING, text } from "./vectors.ts";

const ALL: readonly EventType[] = [
  "accept",
  "accept:error",
  "bind",
  "bind:error",
  "connect",
  "connect:delay",
  "connect:retry",
  "close",
  "close:error",
  "disconnect",
  "handshake",
  "handshake:error:protocol",
  "handshake:error:auth",
  "handshake:error:other",
  "end",
  "unknown",
];

/** Records every event as its type and address. */
function story(socket: Socket): string[] {
  const lines: string[] = [];
  for (const type of ALL) socket.events.on(type, (it) => lines.push(`${it.type} ${it.address}`));
  return lines;
}

zmtp(46, "the life of two sockets in events", async (w) => {
  const [router, dealer] = [w.router(), w.dealer()];
  const [bound, connected] = [story(router), story(dealer)];
  await router.bind(PLACE);
  dealer.connect(PLACE);
  await w.settle();
  const remote = bound.find((it) => it.startsWith("handshake "))!.slice("handshake ".length);
  dealer.disconnect(PLACE);
  await w.settle();
  await router.unbind(PLACE);
  dealer.close();
  router.close();
  await w.settle();
  assertEquals(connected, [
    `connect:delay ${PLACE}`,
    `connect ${PLACE}`,
    `handshake ${PLACE}`,
    `disconnect ${PLACE}`,
    `close ${PLACE}`,
    `end ${PLACE}`,
  ]);
  assertEquals(bound, [
    `bind ${PLACE}`,
    `accept ${PLACE}`,
    `handshake ${remote}`,
    `disconnect ${remote}`,
    `close ${PLACE}`,
    `end ${PLACE}`,
  ]);
});

zmtp(46, "a socket that was never used ends too", async (w) => {
  const dealer = w.dealer();
  const lines = story(dealer);
  dealer.close();
  await w.settle();
  assertEquals([lines, dealer.events.closed], [["end "], true]);
});

zmtp(46, "close() tells of each endpoint that it ends", async (w) => {
  const router = w.router();
  const closed = record(router, "close");
  await router.bind(PLACE);
  await router.bind("tcp://127.0.0.1:7777");
  router.connect(ELSEWHERE);
  router.close();
  await w.pass(2000);
  assertEquals(closed.map((it) => it.address).sort(), [
    PLACE,
    ELSEWHERE,
    "tcp://127.0.0.1:7777",
  ]);
});

zmtp(46, "bind tells the real port, bind:error what was asked for", async (w) => {
  const router = w.router();
  const [bound, failed] = [record(router, "bind"), record(router, "bind:error")];
  await router.bind("tcp://127.0.0.1:*");
  assertEquals(bound, [{ type: "bind", address: router.lastEndpoint! }]);
  assertEquals(await outcome(w.router().bind(router.lastEndpoint!)), "EADDRINUSE");
  assertEquals(await outcome(router.bind(router.lastEndpoint!)), "EADDRINUSE");
  assertEquals(failed.map((it) => it.address), [router.lastEndpoint]);
  assertInstanceOf(failed[0]!.error, SocketError);
  assertEquals(failed[0]!.error.code, "EADDRINUSE");
});

zmtp(46, "accept:error tells why, and the socket goes on listening", async (w) => {
  let failures = 2;
  const base = w.network.io("router");
  const io: Io = {
    ...base,
    listen: async (address, backlog) => {
      const listener = await base.listen(address, backlog);
      return {
        address: listener.address,
        close: () => listener.close(),
        accept: () => {
          if (failures-- <= 0) return listener.accept();
          return Promise.reject(Object.assign(new Error("too many files"), { code: "EMFILE" }));
        },
      };
    },
  };
  const router = w.router({ io });
  const failed = record(router, "accept:error");
  await router.bind(PLACE);
  const raw = await w.dial();
  await w.pass(1000);
  assertEquals(failed.map((it) => [it.address, it.error.code]), [
    [PLACE, "EMFILE"],
    [PLACE, "EMFILE"],
  ]);
  raw.shake();
  await w.settle();
  assertEquals(raw.heard().length, 1);
});

zmtp(46, "connect:retry tells the interval, and why", async (w) => {
  const dealer = w.dealer({ reconnectInterval: 300 });
  const retries = record(dealer, "connect:retry");
  dealer.connect(PLACE);
  await w.settle();
  assertEquals(retries.map((it) => it.address), [PLACE]);
  const { interval, error } = retries[0]!;
  assertEquals((error as Error & { code?: string }).code, "ECONNREFUSED");
  assert(interval >= 300 && interval < 600);
  await w.pass(interval);
  assertEquals(retries.length, 2);
});

zmtp(46, "handshake and disconnect tell the peer's identity", async (w) => {
  const router = w.router();
  const events = record(router, "handshake", "disconnect");
  await router.bind(PLACE);
  const named = await w.meet("DEALER", "named");
  const nameless = await w.meet();
  named.leave();
  nameless.leave();
  await w.settle();
  const identities = events.map((it) => it.identity);
  assertEquals([identities[0], identities[2]], [text("named"), text("named")]);
  // A peer without a name has the one that the Router gave it.
  assertEquals([identities[1]!.length, identities[1]![0]], [5, 0]);
  assertEquals(identities[1], identities[3]);
});

zmtp(46, "a peer with a given routingId is told by that", async (w) => {
  const router = w.router();
  const events = record(router, "handshake", "disconnect");
  router.connect(PLACE, { routingId: "given" });
  const raws = await w.listen((raw) => raw.shake("ROUTER", "its own"));
  await w.pass(1000);
  raws[0]!.leave();
  await w.settle();
  assertEquals(events.map((it) => [it.address, it.identity]), [
    [PLACE, text("given")],
    [PLACE, text("given")],
  ]);
});

zmtp(46, "disconnect tells the error, unless it was a plain close", async (w) => {
  const router = w.router();
  const events = record(router, "disconnect");
  await router.bind(PLACE);
  (await w.meet()).leave();
  await w.settle();
  (await w.meet()).say(hex("0800"));
  await w.settle();
  await w.meet();
  w.network.cut();
  await w.settle();
  const [plain, faulty, broken] = events;
  assertEquals(plain!.error, undefined);
  assertInstanceOf(faulty!.error, ProtocolError);
  assertEquals(faulty!.error.fault, "flags");
  assertEquals((broken!.error as Error & { code?: string }).code, "ECONNRESET");
});

zmtp(46, "handshake:error:protocol tells the fault and zeromq.js's code", async (w) => {
  const router = w.router();
  const failed = record(router, "handshake:error:protocol");
  await router.bind(PLACE);
  const plain = hex("ff00000000000000007f 0301504c41494e 00*47");
  for (const octets of [hex("00"), plain]) {
    (await w.dial()).say(octets);
    await w.settle();
  }
  (await w.dial()).shake("PUB");
  await w.settle();
  assertEquals(failed.map((it) => [it.error.fault, it.error.code]), [
    ["greeting", "ERR_ZMTP_UNSPECIFIED"],
    ["mechanism", "ERR_ZMTP_MECHANISM_MISMATCH"],
    ["socket-type", "ERR_ZMTP_INVALID_METADATA"],
  ]);
  for (const { address } of failed) assert(address.startsWith("tcp://127.0.0.1:"), address);
});

zmtp(46, "handshake:error:auth tells the status", async (w) => {
  const dealer = w.dealer();
  const failed = record(dealer, "handshake:error:auth");
  await w.listen((raw) => raw.say(OUR_GREETING, ERROR_400));
  dealer.connect(PLACE);
  await w.settle();
  assertEquals(failed.map((it) => it.address), [PLACE]);
  assertInstanceOf(failed[0]!.error, AuthError);
  assertEquals(failed[0]!.error.status, 400);
});

zmtp(46, "handshake:error:other tells of a handshake that ended without a fault", async (w) => {
  const router = w.router({ handshakeInterval: 100 });
  const failed = record(router, "handshake:error:other");
  await router.bind(PLACE);
  (await w.dial()).leave();
  await w.settle();
  await w.dial();
  await w.pass(100);
  assertEquals(failed.map((it) => it.error.code), ["ECONNRESET", "ETIMEDOUT"]);
});

zmtp(46, "off() ends a listener", async (w) => {
  const dealer = w.dealer();
  const heard: string[] = [];
  const listener = () => void heard.push("first");
  dealer.events.on("connect:delay", listener).on("connect:delay", () => heard.push("second"));
  dealer.connect(PLACE);
  dealer.events.off("connect:delay", listener);
  dealer.connect(ELSEWHERE);
  await w.settle();
  assertEquals(heard.slice(0, 3), ["first", "second", "second"]);
});

zmtp(46, "a listener that throws is reported and harms nobody else", async (w) => {
  const reported: unknown[] = [];
  const onError = (event: ErrorEvent) => {
    event.preventDefault();
    reported.push(event.error.message);
  };
  const router = w.router();
  router.events.on("bind", () => {
    throw new Error("thrown");
  });
  const heard = record(router, "bind");
  addEventListener("error", onError);
  try {
    assertEquals(await outcome(router.bind(PLACE)), "done");
  } finally {
    removeEventListener("error", onError);
  }
  assertEquals([heard.length, reported], [1, ["thrown"]]);
  assertEquals((await w.meet()).left, false);
});

zmtp(46, "events can be received and iterated, from the first look on", async (w) => {
  const router = w.router();
  const { events } = router;
  await router.bind(PLACE);
  assertEquals(await events.receive(), { type: "bind", address: PLACE });
  // Concurrent calls get an event each, in order.
  const [first, second] = [events.receive(), events.receive()];
  await router.bind(ELSEWHERE);
  await router.unbind(ELSEWHERE);
  assertEquals([(await first).type, (await second).type], ["bind", "close"]);
  const seen: Event[] = [];
  const iterating = (async () => {
    for await (const event of events) seen.push(event);
  })();
  await router.unbind(PLACE);
  router.close();
  await iterating;
  assertEquals(seen.map((it) => it.type), ["close", "end"]);
  assertEquals([events.closed, await outcome(events.receive())], [true, "EBADF"]);
});

zmtp(46, "a closed observer tells nothing, and the socket goes on", async (w) => {
  const router = w.router();
  const { events } = router;
  const heard = record(router, "bind");
  const waiting = outcome(events.receive());
  events.close();
  assertEquals([events.closed, await waiting], [true, "EAGAIN"]);
  await router.bind(PLACE);
  assertEquals(heard, []);
  assertEquals((await w.meet()).left, false);
});

zmtp(46, "an observer that nobody reads keeps only the last 1000 events", async (w) => {
  const dealer = w.dealer();
  const { events } = dealer;
  dealer.connect(PLACE);
  await w.pass(300_000);
  dealer.close();
  await w.settle();
  const kept: Event[] = [];
  for await (const event of events) kept.push(event);
  assertEquals([kept.length, kept.at(-1)!.type], [1000, "end"]);
});
