/**
 * The API of zeromq.js 6, line 44 of the checklist: methods, options, messages, frames.
 *
 * @module
 */
import { assert, assertEquals, assertThrows } from "@std/assert";
import {
  type ArgumentError,
  Dealer,
  Frame,
  type Message,
  type MessageLike,
  type Outgoing,
  Reply,
  Request as RequestSocket,
  Router,
  type Socket,
  SocketError,
} from "../../protocol/mod.ts";
import type { Io } from "../../protocol/io/io.ts";
import { drain, inWorld, message, outcome, PLACE, take, thrown, zmtp } from "./raw_peer.ts";
import { text } from "./vectors.ts";

/** Options that take any whole number from a least one on, with what holds unless told. */
const NUMBERS: readonly [name: string, least: number, usual: number][] = [
  ["sendHighWaterMark", 0, 1000],
  ["receiveHighWaterMark", 0, 1000],
  ["sendTimeout", -1, -1],
  ["receiveTimeout", -1, -1],
  ["linger", -1, -1],
  ["heartbeatInterval", 0, 0],
  ["heartbeatTimeToLive", 0, 0],
  ["heartbeatTimeout", -1, -1],
  ["handshakeInterval", 0, 30_000],
  ["maxMessageSize", -1, -1],
  ["reconnectInterval", -1, 100],
  ["reconnectMaxInterval", 0, 0],
  ["connectTimeout", 0, 0],
  ["backlog", 0, 511],
  ["tcpKeepalive", -1, -1],
];

/** Options that are true or false, and who has them. */
const FLAGS: readonly [name: string, ...owners: string[]][] = [
  ["immediate", "ROUTER", "DEALER", "REQ", "REP"],
  ["probeRouter", "ROUTER", "DEALER", "REQ"],
  ["mandatory", "ROUTER"],
  ["handover", "ROUTER"],
  ["correlate", "REQ"],
  ["relaxed", "REQ"],
];

/** Options that Deno can't set, with their one value. */
const FIXED: readonly [name: string, value: number | boolean][] = [
  ["ipv6", true],
  ["tcpKeepaliveCount", -1],
  ["tcpKeepaliveIdle", -1],
  ["tcpKeepaliveInterval", -1],
  ["receiveBufferSize", -1],
  ["sendBufferSize", -1],
];

/** Members of every zeromq.js 6.8 socket of these types that are here too, beside the options above. */
const MEMBERS = ["events", "closed", "readable", "writable", "type", "lastEndpoint", "routingId"];
MEMBERS.push("bind", "unbind", "connect", "disconnect", "close", "send", "receive");

/** Those that are not, as the documentation of Socket says. */
const ABSENT = ["context", "bindSync", "unbindSync", "affinity", "rate", "recoveryInterval"];
ABSENT.push("tcpAcceptFilter", "plainServer", "plainUsername", "plainPassword", "curveServer");
ABSENT.push(
  "curvePublicKey",
  "curveSecretKey",
  "curveServerKey",
  "gssapiServer",
  "gssapiPrincipal",
);
ABSENT.push("gssapiServicePrincipal", "gssapiPlainText", "gssapiPrincipalNameType", "zapDomain");
ABSENT.push("gssapiServicePrincipalNameType", "typeOfService", "socksProxy", "vmciBufferSize");
ABSENT.push("tcpMaxRetransmitTimeout", "multicastMaxTransportDataUnit", "vmciBufferMinSize");
ABSENT.push("vmciBufferMaxSize", "vmciConnectTimeout", "interface", "zapEnforceDomain");
ABSENT.push("loopbackFastPath", "securityMechanism", "threadSafe", "multicastHops", "conflate");

const SOCKETS = [Router, Dealer, RequestSocket, Reply] as const;

function set(socket: Socket, name: string, value: unknown): void {
  (socket as unknown as Record<string, unknown>)[name] = value;
}

function get(socket: Socket, name: string): unknown {
  return (socket as unknown as Record<string, unknown>)[name];
}

/** Fails unless that is refused as a bad argument whose message names the option. */
function assertRefused(name: string, act: () => unknown): void {
  const error = assertThrows(act, TypeError, `Cannot set ${name}`);
  assertEquals((error as ArgumentError).code, "EINVAL");
}

Deno.test("zmtp 44: connect, disconnect and close are synchronous, bind and unbind promises", async () => {
  await inWorld(async (w) => {
    const router = w.router();
    const bound = router.bind(PLACE);
    assert(bound instanceof Promise);
    assertEquals(await bound, undefined);
    const dealer = w.dealer();
    assertEquals(dealer.connect(PLACE), undefined);
    assertEquals(dealer.disconnect(PLACE), undefined);
    const unbound = router.unbind(PLACE);
    assert(unbound instanceof Promise);
    assertEquals(await unbound, undefined);
    dealer.connect(PLACE);
    const sent = dealer.send("x");
    assert(sent instanceof Promise);
    assertEquals(await sent, undefined);
    assertEquals(dealer.close(), undefined);
    assertEquals(dealer.closed, true);
    assertEquals(thrown(() => dealer.connect("nonsense")), "EBADF");
    assertEquals(thrown(() => router.connect("nonsense")), "EINVAL");
    assertEquals(thrown(() => router.disconnect(PLACE)), "ENOENT");
  });
});

Deno.test("zmtp 44: each member of a zeromq.js socket is here, or known not to be", () => {
  for (const make of SOCKETS) {
    const socket = new make();
    for (const name of MEMBERS) assert(name in socket, name);
    assert(Symbol.asyncIterator in socket);
    for (const name of ABSENT) assert(!(name in socket), name);
    for (const name of ["on", "off", "receive", "close", "closed"]) assert(name in socket.events);
    assert(Symbol.asyncIterator in socket.events);
  }
});

Deno.test("zmtp 44: each option exists as constructor option and property, with its default", () => {
  for (const make of SOCKETS) {
    const plain = new make();
    for (const [name, least, usual] of NUMBERS) {
      assertEquals(get(plain, name), usual, name);
      for (const value of [least, 1]) {
        set(plain, name, value);
        assertEquals(get(plain, name), value, name);
        assertEquals(get(new make({ [name]: value }), name), value, name);
      }
    }
    for (const [name, ...owners] of FLAGS) {
      if (!owners.includes(plain.type)) continue;
      assertEquals(get(plain, name), false, name);
      for (const value of [true, false]) {
        set(plain, name, value);
        assertEquals(get(plain, name), value, name);
        assertEquals(get(new make({ [name]: value }), name), value, name);
      }
    }
  }
});

Deno.test("zmtp 44: a bad value is a TypeError with code EINVAL, and changes nothing", () => {
  const dealer = new Dealer();
  for (const [name, least, usual] of NUMBERS) {
    for (const bad of [least - 1, 1.5, NaN, Infinity, 2 ** 31, "1", null, true, {}]) {
      assertRefused(name, () => set(dealer, name, bad));
      assertRefused(name, () => new Dealer({ [name]: bad }));
    }
    assertEquals(get(dealer, name), usual);
  }
  for (const bad of [2, 100]) assertRefused("tcpKeepalive", () => set(dealer, "tcpKeepalive", bad));
  const request = new RequestSocket();
  for (const name of ["immediate", "probeRouter", "correlate", "relaxed"]) {
    for (const bad of [0, 1, "true", null]) {
      assertRefused(name, () => set(request, name, bad));
      assertRefused(name, () => new RequestSocket({ [name]: bad }));
    }
  }
});

Deno.test("zmtp 44: an option of another type, or of nobody, is refused", () => {
  for (const make of SOCKETS) {
    const { type } = new make();
    for (const [name, ...owners] of FLAGS) {
      if (!owners.includes(type)) assertRefused(name, () => new make({ [name]: true }));
    }
    for (const name of ["curveServer", "context", "__proto__", "sendTimeOut"]) {
      assertRefused(name, () => new make(JSON.parse(`{"${name}": true}`)));
    }
    // As in zeromq.js a misspelt or unknown option throws instead of doing nothing.
    assertThrows(() => set(new make(), "curveServer", true), TypeError, "curveServer");
    assertThrows(() => set(new make(), "sendTimeOut", 1), TypeError, "sendTimeOut");
  }
});

Deno.test("zmtp 44: options that Deno can't set say so", () => {
  for (const make of SOCKETS) {
    const socket = new make(Object.fromEntries(FIXED));
    for (const [name, value] of FIXED) {
      assertEquals(get(socket, name), value);
      for (const other of [value === true ? false : 1, "x"]) {
        for (const act of [() => set(socket, name, other), () => new make({ [name]: other })]) {
          const error = assertThrows(act, SocketError, `Cannot set ${name}: Deno's network`);
          assertEquals(error.code, "EINVAL");
        }
      }
    }
  }
});

Deno.test("zmtp 44: routingId is text or octets to set, and text to read", () => {
  const dealer = new Dealer({ routingId: "wörker" });
  assertEquals(dealer.routingId, "wörker");
  dealer.routingId = new Uint8Array([0x61, 0x62]);
  assertEquals(dealer.routingId, "ab");
  for (const none of [null, "", new Uint8Array()]) {
    dealer.routingId = none;
    assertEquals(dealer.routingId, null);
  }
  dealer.routingId = "x".repeat(255);
  for (const bad of ["x".repeat(256), "\0x", new Uint8Array([0]), 7, {}]) {
    assertRefused("routingId", () => set(dealer, "routingId", bad));
  }
  assertEquals(dealer.routingId, "x".repeat(255));
});

Deno.test("zmtp 44: type is the name that the handshake uses, and is not to be set", () => {
  assertEquals(SOCKETS.map((make) => new make().type), ["ROUTER", "DEALER", "REQ", "REP"]);
  for (const name of ["type", "closed", "readable", "writable", "lastEndpoint", "events"]) {
    assertThrows(() => set(new Dealer(), name, 1), TypeError);
  }
});

zmtp(44, "readable and writable say what would be done at once", async (w) => {
  const router = w.router({ receiveTimeout: 0 });
  await router.bind(PLACE);
  const dealer = w.dealer({ sendTimeout: 0, sendHighWaterMark: 1 });
  assertEquals([router.readable, dealer.writable], [false, false]);
  assertEquals(await outcome(router.receive()), "EAGAIN");
  dealer.connect(PLACE);
  assertEquals(dealer.writable, true);
  const sent = outcome(dealer.send("x"));
  assertEquals(dealer.writable, false);
  await w.settle();
  assertEquals([await sent, router.readable, dealer.writable], ["done", true, true]);
  await drain(router);
  assertEquals(router.readable, false);
  dealer.close();
  router.close();
  assertEquals([router.readable, dealer.writable], [false, false]);
});

zmtp(44, "connectTimeout ends a connect that takes too long, and it is tried again", async (w) => {
  await w.router().bind(PLACE);
  const dealer = w.dealer({ connectTimeout: 400, reconnectInterval: 100 });
  const times: number[] = [];
  dealer.events.on("connect:retry", () => times.push(w.network.now));
  dealer.connect(PLACE);
  await w.pass(1000);
  assertEquals([times[0], times.length], [400, 2]);
  dealer.connectTimeout = 0;
  await w.pass(1000);
  assertEquals(w.network.connections.length, 1);
}, { latency: 500 });

zmtp(44, "maxMessageSize holds for connections from now on", async (w) => {
  const router = w.router();
  await router.bind(PLACE);
  const old = await w.meet("DEALER", "old");
  router.maxMessageSize = 10;
  const young = await w.meet("DEALER", "young");
  for (const raw of [old, young]) raw.say(message("x".repeat(10)));
  await w.settle();
  for (const raw of [old, young]) raw.say(message("x".repeat(11)));
  await w.settle();
  assertEquals([old.left, young.left], [false, true]);
  assertEquals((await drain(router)).length, 3);
});

zmtp(44, "backlog and tcpKeepalive reach the network", async (w) => {
  const asked: unknown[] = [];
  const base = w.network.io("router");
  const io: Io = {
    ...base,
    listen: (address, backlog) => {
      asked.push(backlog);
      return base.listen(address, backlog);
    },
    connect: async (address, signal) => {
      const connection = await base.connect(address, signal);
      connection.setKeepAlive = (on) => asked.push(on);
      return connection;
    },
  };
  await w.router({ io }).bind(PLACE);
  await w.router({ io, backlog: 7 }).bind("tcp://127.0.0.1:*");
  for (const tcpKeepalive of [-1, 0, 1]) {
    w.dealer({ io, tcpKeepalive }).connect(PLACE);
    await w.settle();
  }
  assertEquals(asked, [511, 7, false, true]);
});

Deno.test("zmtp 44: tcpKeepalive is taken by the system too", async () => {
  await using router = new Router({ tcpKeepalive: 1 });
  await router.bind("tcp://127.0.0.1:*");
  await using dealer = new Dealer({ tcpKeepalive: 0 });
  dealer.connect(router.lastEndpoint!);
  await dealer.send("alive");
  assertEquals(await take(router, 1), ["auto|alive"]);
});

/** What can be sent, and the text that arrives. */
const SENDABLE: readonly [value: Outgoing, text: string][] = [
  [null, ""],
  ["", ""],
  ["häß", "häß"],
  [42, "42"],
  [-1.5, "-1.5"],
  [0, "0"],
  [text("octets"), "octets"],
  [text("xoctetsx").subarray(1, 7), "octets"],
  [new DataView(text("xviewx").buffer as ArrayBuffer, 1, 4), "view"],
  [new Uint16Array([0x6968]), "hi"],
  [text("buffer").buffer as ArrayBuffer, "buffer"],
  [Frame.from(text("frame")), "frame"],
  [["a", null, 1, text("b")], "a||1|b"],
  [[null], ""],
];

zmtp(44, "send takes null, numbers, strings, octets, buffers and arrays of them", async (w) => {
  const dealer = w.dealer();
  await dealer.bind(PLACE);
  const other = w.dealer();
  other.connect(PLACE);
  const shared = new Uint8Array(new SharedArrayBuffer(6));
  shared.set(text("shared"));
  const all = [...SENDABLE, [shared, "shared"], [shared.buffer, "shared"]] as typeof SENDABLE;
  for (const [value, expected] of all) {
    await other.send(value);
    await w.settle();
    assertEquals(await take(dealer, 1), [expected]);
  }
});

zmtp(44, "what can't be sent is a TypeError with code EINVAL", async (w) => {
  const dealer = w.dealer();
  dealer.connect(PLACE);
  const bad: unknown[] = [undefined, true, {}, [], [undefined], [["nested"]], Symbol("x"), 1n];
  for (const value of bad) {
    const error = await dealer.send(value as MessageLike).catch((error) => error);
    assert(error instanceof TypeError, String(value));
    assertEquals((error as ArgumentError).code, "EINVAL");
  }
});

zmtp(44, "what was sent may be changed afterwards", async (w) => {
  const dealer = w.dealer();
  dealer.connect(PLACE);
  const octets = text("before");
  await dealer.send(octets);
  octets.fill(0);
  const router = w.router();
  await router.bind(PLACE);
  await w.pass(1000);
  assertEquals(await drain(router), ["auto|before"]);
});

zmtp(44, "received frames are octets whose toString decodes UTF-8, as Buffers do", async (w) => {
  const dealer = w.dealer();
  await dealer.bind(PLACE);
  (await w.meet()).say(message("hi", "häß", '{"a":[1]}', ""));
  const [first, second, third, fourth] = await dealer.receive();
  assert(first instanceof Uint8Array && first instanceof Frame);
  assertEquals(`${first}`, "hi");
  assertEquals(second!.toString() + second!.text(), "häßhäß");
  assertEquals(third!.json(), { a: [1] });
  assertEquals(JSON.parse(third! as unknown as string), { a: [1] });
  assertEquals([fourth!.length, fourth!.toString()], [0, ""]);
  assertEquals([first, second].join("+"), "hi+häß");
  assertEquals(second!.slice(0, 1).toString() + second!.subarray(1).toString(), "häß");
});

Deno.test("zmtp 44: toString takes the encodings of Buffers", () => {
  const frame = Frame.from([0xef, 0xbb, 0xbf, 0x61, 0xff, 0xfe]) as Frame;
  assertEquals(frame.toString(), "\ufeffa\ufffd\ufffd");
  assertEquals(frame.toString("utf8"), frame.toString("utf-8"));
  assertEquals(frame.toString("hex"), "efbbbf61fffe");
  assertEquals(frame.toString("base64"), "77u/Yf/+");
  assertEquals(frame.toString("base64url"), "77u_Yf_-");
  assertEquals(frame.toString("latin1"), "ï»¿aÿþ");
  assertEquals(frame.toString("binary"), "ï»¿aÿþ");
  assertEquals(thrown(() => frame.toString("utf16le" as "hex")), "EINVAL");
});

Deno.test("zmtp 44: a program for zeromq.js type-checks as it is written", async () => {
  await inWorld(async (w) => {
    const [server, client] = [w.rep(), w.req()];
    await server.bind(PLACE);
    client.connect(PLACE);
    await client.send("4");
    const [question] = await server.receive();
    await server.send((2 * parseInt(question.toString(), 10)).toString());
    const [answer] = await client.receive();
    const texts: string[] = [answer].map((frame: Message) => frame.toString());
    assertEquals(texts, ["8"]);
    const [router, dealer] = [w.router(), w.dealer()];
    await router.bind("tcp://127.0.0.1:7777");
    dealer.connect("tcp://127.0.0.1:7777");
    await dealer.send(["body", "more"]);
    for await (const [identity, body, ...rest] of router) {
      await router.send([identity, body, ...rest]);
      break;
    }
    const [body, more] = await dealer.receive();
    assertEquals([body.toString(), String(more)], ["body", "more"]);
  });
});
