/**
 * The handshake through sockets, on a network in memory with simulated time: lines 6, 13, 19 and 20
 * of the checklist.
 *
 * @module
 */
import { assert, assertEquals } from "@std/assert";
import { inspect } from "../../protocol/sockets/inspect.ts";
import {
  drain,
  ELSEWHERE,
  message,
  outcome,
  PLACE,
  type RawPeer,
  ready,
  record,
  zmtp,
} from "./raw_peer.ts";
import {
  DEALER_READY,
  ERROR_400,
  hex,
  join,
  OUR_GREETING,
  PONG,
  ROUTER_READY,
  text,
  toHex,
} from "./vectors.ts";

/** An ERROR with that reason, written without the code under test. */
function refusal(reason: string): Uint8Array {
  const body = join(hex("05"), text("ERROR"), new Uint8Array([reason.length]), text(reason));
  return join(new Uint8Array([4, body.length]), body);
}

/** Whether an ERROR came. */
function wasTold(raw: RawPeer): boolean {
  return raw.heard().some((line) => line.startsWith("ERROR"));
}

zmtp(6, "a peer that says nothing, or only greets, is closed 30 s after it came", async (w) => {
  const router = w.router();
  const failed = record(router, "handshake:error:other");
  await router.bind(PLACE);
  const silent = await w.dial();
  const greeter = await w.dial();
  await w.pass(1000);
  greeter.say(OUR_GREETING);
  await w.pass(28_999);
  assertEquals([silent.left, greeter.left], [false, false]);
  await w.pass(1);
  assertEquals([silent.left, greeter.left], [true, true]);
  assertEquals(failed.map((it) => it.error.code), ["ETIMEDOUT", "ETIMEDOUT"]);
});

zmtp(6, "dripping octets buys a handshake no time", async (w) => {
  await w.router().bind(PLACE);
  const drip = await w.dial();
  const octets = join(OUR_GREETING, DEALER_READY);
  for (let i = 0; i < 59; i++) {
    drip.say(octets.subarray(i, i + 1));
    await w.pass(500);
  }
  assertEquals(drip.left, false);
  await w.pass(500);
  assertEquals(drip.left, true);
});

zmtp(6, "READY in the last millisecond is in time, and ends the deadline", async (w) => {
  const router = w.router();
  await router.bind(PLACE);
  const late = await w.dial();
  late.say(OUR_GREETING);
  await w.pass(29_999);
  late.say(DEALER_READY);
  await w.pass(3_600_000);
  late.say(message("hello"));
  await w.settle();
  assertEquals(await drain(router), ["auto|hello"]);
});

zmtp(6, "a connecting socket gives a handshake up after 30 s too, and tries again", async (w) => {
  const raws = await w.listen((raw) => raw.say(OUR_GREETING));
  const dealer = w.dealer();
  dealer.connect(PLACE);
  await w.pass(29_999);
  assertEquals(raws.map((raw) => raw.left), [false]);
  await w.pass(1);
  assertEquals(raws.map((raw) => raw.left), [true]);
  await w.pass(200);
  assertEquals(raws.map((raw) => raw.left), [true, false]);
});

zmtp(6, "handshakeInterval sets the deadline, 0 takes it away", async (w) => {
  await w.router({ handshakeInterval: 5000 }).bind(PLACE);
  await w.router({ handshakeInterval: 0 }).bind(ELSEWHERE);
  const [short, long] = [await w.dial(), await w.dial(ELSEWHERE)];
  await w.pass(4999);
  assertEquals(short.left, false);
  await w.pass(1);
  assertEquals(short.left, true);
  await w.pass(3_600_000);
  assertEquals(long.left, false);
});

zmtp(
  13,
  "a connecting socket sends no message, probe or PING before the peer's READY",
  async (w) => {
    const raws = await w.listen((raw) => raw.say(OUR_GREETING));
    const dealer = w.dealer({ probeRouter: true, heartbeatInterval: 100 });
    dealer.connect(PLACE);
    await dealer.send("waits");
    await w.pass(10_000);
    assertEquals(toHex(raws[0]!.octets), toHex(join(OUR_GREETING, DEALER_READY)));
    raws[0]!.say(ROUTER_READY);
    await w.settle();
    assertEquals(raws[0]!.heard().slice(1).sort(), ['""', '"waits"']);
  },
);

zmtp(13, "a binding socket sends no probe or PING before the peer's READY", async (w) => {
  await w.router({ probeRouter: true, heartbeatInterval: 100 }).bind(PLACE);
  const raw = await w.dial();
  raw.say(OUR_GREETING);
  await w.pass(10_000);
  assertEquals(toHex(raw.octets), toHex(join(OUR_GREETING, ROUTER_READY)));
  raw.say(DEALER_READY);
  await w.settle();
  assertEquals(raw.heard().slice(1), ['""']);
});

zmtp(19, "after an ERROR the endpoint is closed, told of and never dialled again", async (w) => {
  const refusing = await w.listen((raw) => raw.say(OUR_GREETING, refusal("no")));
  const other = await w.listen((raw) => raw.shake("ROUTER"), ELSEWHERE);
  const dealer = w.dealer();
  const events = record(dealer, "handshake:error:protocol", "close", "connect:retry");
  dealer.connect(PLACE);
  dealer.connect(ELSEWHERE);
  await w.pass(600_000);
  assertEquals(refusing.map((raw) => raw.left), [true]);
  assertEquals(
    events.map((it) => [it.type, it.address]),
    [["handshake:error:protocol", PLACE], ["close", PLACE]],
  );
  for (const i of [1, 2, 3]) await dealer.send(i);
  await w.settle();
  assertEquals(other[0]!.messages(), ['"1"', '"2"', '"3"']);
});

zmtp(19, "an ERROR with a status of authentication has an event of its own", async (w) => {
  const raws = await w.listen((raw) => raw.say(OUR_GREETING, ERROR_400));
  const dealer = w.dealer();
  const events = record(dealer, "handshake:error:auth", "handshake:error:protocol");
  dealer.connect(PLACE);
  await w.pass(600_000);
  assertEquals(raws.length, 1);
  assertEquals(events.map((it) => "status" in it.error && it.error.status), [400]);
});

zmtp(
  19,
  "what waited for an endpoint that sent ERROR is gone, and a send finds none",
  async (w) => {
    const dealer = w.dealer({ sendTimeout: 10 });
    dealer.connect(PLACE);
    await dealer.send("waits");
    await w.listen((raw) => raw.say(OUR_GREETING, ERROR_400));
    await w.pass(1000);
    const late = outcome(dealer.send("more"));
    await w.pass(10);
    assertEquals(await late, "EAGAIN");
  },
);

zmtp(19, "a peer that came in and says ERROR is closed and told of", async (w) => {
  const router = w.router();
  const events = record(router, "handshake:error:protocol");
  await router.bind(PLACE);
  const raw = await w.dial();
  raw.say(OUR_GREETING, refusal("no"));
  await w.settle();
  assert(raw.left);
  assertEquals(events.map((it) => it.error.fault), ["refused"]);
});

zmtp(
  19,
  "after an unexpected close, inside the handshake or later, the endpoint is dialled again",
  async (w) => {
    const raws = await w.listen();
    const dealer = w.dealer();
    const events = record(dealer, "handshake:error:other");
    dealer.connect(PLACE);
    await w.settle();
    raws[0]!.say(OUR_GREETING);
    raws[0]!.leave();
    await w.pass(200);
    assertEquals(events.map((it) => it.error.code), ["ECONNRESET"]);
    raws[1]!.shake("ROUTER");
    await w.settle();
    raws[1]!.leave();
    await w.pass(200);
    assertEquals(raws.length, 3);
  },
);

zmtp(20, "a socket type that we can't talk to gets an ERROR, then the close", async (w) => {
  await w.router().bind(PLACE);
  const raw = (await w.dial()).shake("PUB");
  await w.settle();
  assertEquals(raw.heard().at(-1), `ERROR 13${toHex(text("Invalid socket type"))}`);
  assert(raw.left);
});

zmtp(20, "a connection or a handshake too many gets a plain close", async (w) => {
  const router = w.router();
  await router.bind(PLACE);
  const { settings } = inspect(router);
  settings.handshakes = 1;
  const oldest = await w.dial();
  oldest.say(OUR_GREETING);
  await w.settle();
  const newer = await w.dial();
  await w.settle();
  assertEquals([oldest.left, newer.left], [true, false]);
  settings.connections = 1;
  const tooMany = await w.dial();
  await w.settle();
  assertEquals(tooMany.left, true);
  assertEquals([oldest, tooMany].some(wasTold), false);
});

zmtp(20, "a frame too large or a handshake too slow gets a plain close", async (w) => {
  await w.router({ maxMessageSize: 10, handshakeInterval: 1000 }).bind(PLACE);
  const large = await w.meet();
  const slow = await w.dial();
  large.say(message("x".repeat(10)), message("x".repeat(11)));
  slow.say(OUR_GREETING);
  await w.pass(1000);
  assertEquals([large.left, slow.left], [true, true]);
  assertEquals([large, slow].some(wasTold), false);
});

zmtp(20, "an identity in use gets a plain close", async (w) => {
  await w.router().bind(PLACE);
  const first = await w.meet("DEALER", "me");
  const second = await w.meet("DEALER", "me");
  assertEquals([first.left, second.left], [false, true]);
  assertEquals(wasTold(second), false);
});

zmtp(20, "shutdown is a plain close", async (w) => {
  const router = w.router();
  await router.bind(PLACE);
  const [open, greeting] = [await w.meet(), await w.dial()];
  greeting.say(OUR_GREETING);
  await w.settle();
  router.close();
  await w.pass(1000);
  assertEquals([open.left, greeting.left], [true, true]);
  assertEquals([open, greeting].some(wasTold), false);
});

zmtp(20, "reserved bits, or a command too early, get a plain close", async (w) => {
  const router = w.router();
  await router.bind(PLACE);
  const reserved = await w.meet();
  reserved.say(hex("0800"));
  const early = await w.dial();
  early.say(OUR_GREETING, PONG, ready("DEALER"));
  await w.settle();
  assertEquals([reserved.left, early.left], [true, true]);
  assertEquals([reserved, early].some(wasTold), false);
});
