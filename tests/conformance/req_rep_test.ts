/**
 * REQ and REP, lines 38 to 41 of the checklist, on a network in memory with simulated time.
 *
 * @module
 */
import { assertEquals } from "@std/assert";
import { inspect } from "../../protocol/sockets/inspect.ts";
import {
  drain,
  ELSEWHERE,
  message,
  outcome,
  PLACE,
  type RawPeer,
  take,
  type World,
  zmtp,
} from "./raw_peer.ts";
import { hex, join } from "./vectors.ts";

/** A port where all who connect meet a ROUTER. */
function routers(w: World, endpoint = PLACE): Promise<RawPeer[]> {
  return w.listen((raw) => raw.shake("ROUTER"), endpoint);
}

/** The number frames in front of the requests that a raw peer got. */
function numbersOf(raw: RawPeer): Uint8Array[] {
  const bodies = [...raw.frames()].filter(({ flags }) => (flags & 4) === 0);
  return bodies.filter((_, i) => i % 3 === 0).map(({ body }) => body);
}

/** A reply with a number frame. */
function numbered(number: Uint8Array, ...frames: string[]): Uint8Array {
  return join(new Uint8Array([1, number.length]), number, message(...frames));
}

zmtp(38, "REQ sends an empty frame, then the body", async (w) => {
  const raws = await routers(w);
  const req = w.req();
  req.connect(PLACE);
  await req.send(["two", "frames"]);
  await w.settle();
  assertEquals(raws[0]!.messages(), ['"" "two" "frames"']);
  raws[0]!.say(message("", "an", "answer"));
  assertEquals(await take(req, 1), ["an|answer"]);
});

zmtp(38, "REQ strictly sends and receives in turn, else EFSM", async (w) => {
  const raws = await routers(w);
  const req = w.req();
  req.connect(PLACE);
  assertEquals(await outcome(req.receive()), "EFSM");
  for (let i = 0; i < 3; i++) {
    assertEquals(await outcome(req.send("q")), "done");
    assertEquals(req.writable, false);
    assertEquals(await outcome(req.send("again")), "EFSM");
    const receiving = take(req, 1);
    assertEquals(await outcome(req.receive()), "EFSM");
    await w.settle();
    raws[0]!.say(message("", `${i}`));
    assertEquals(await receiving, [`${i}`]);
    assertEquals(await outcome(req.receive()), "EFSM");
  }
  assertEquals(raws[0]!.messages(), Array(3).fill('"" "q"'));
});

zmtp(38, "a timeout doesn't change whose turn it is", async (w) => {
  const raws = await routers(w);
  const req = w.req({ receiveTimeout: 100 });
  req.connect(PLACE);
  await req.send("q");
  const late = outcome(req.receive());
  await w.pass(100);
  assertEquals(await late, "EAGAIN");
  assertEquals(await outcome(req.send("again")), "EFSM");
  raws[0]!.say(message("", "at last"));
  await w.settle();
  assertEquals(await drain(req), ["at last"]);
});

zmtp(38, "what arrived before a send is thrown away", async (w) => {
  const raws = await routers(w);
  const req = w.req();
  req.connect(PLACE);
  await w.settle();
  raws[0]!.say(message("", "before any question"));
  await w.settle();
  await req.send("q1");
  await w.settle();
  raws[0]!.say(message("", "a1"), message("", "a1 once more"));
  await w.settle();
  assertEquals(await take(req, 1), ["a1"]);
  raws[0]!.say(message("", "unasked"));
  await w.settle();
  assertEquals(req.readable, false);
  await req.send("q2");
  await w.settle();
  raws[0]!.say(message("", "a2"));
  assertEquals(await take(req, 1), ["a2"]);
});

zmtp(38, "REQ never resends, but takes a reply over the new connection", async (w) => {
  const raws = await routers(w);
  const req = w.req();
  req.connect(PLACE);
  await req.send("q");
  const receiving = take(req, 1);
  await w.settle();
  raws[0]!.leave();
  await w.pass(60_000);
  assertEquals(raws.map((raw) => raw.messages()), [['"" "q"'], []]);
  raws[1]!.say(message("", "after all"));
  assertEquals(await receiving, ["after all"]);
});

zmtp(38, "a request that was never sent goes out when the peer comes", async (w) => {
  const req = w.req();
  req.connect(PLACE);
  await req.send("patient");
  await w.pass(10_000);
  const raws = await routers(w);
  await w.pass(1000);
  assertEquals(raws[0]!.messages(), ['"" "patient"']);
});

zmtp(39, "REQ takes only the last peer's reply", async (w) => {
  const [here, there] = [await routers(w), await routers(w, ELSEWHERE)];
  const req = w.req();
  req.connect(PLACE);
  req.connect(ELSEWHERE);
  await req.send("q1");
  await w.settle();
  there[0]!.say(message("", "not asked"));
  await w.settle();
  assertEquals(req.readable, false);
  here[0]!.say(message("", "a1"));
  assertEquals(await take(req, 1), ["a1"]);
  await req.send("q2");
  await w.settle();
  assertEquals(there[0]!.messages(), ['"" "q2"']);
  here[0]!.say(message("", "late"));
  there[0]!.say(message("", "a2"));
  assertEquals(await take(req, 1), ["a2"]);
});

zmtp(39, "a malformed reply is skipped, and the connection stays", async (w) => {
  const raws = await routers(w);
  const req = w.req();
  req.connect(PLACE);
  await req.send("q");
  await w.settle();
  raws[0]!.say(message("no delimiter"), message(""), message("x", "", "late delimiter"));
  await w.settle();
  assertEquals([req.readable, raws[0]!.left], [false, false]);
  raws[0]!.say(message("", "good"));
  assertEquals(await take(req, 1), ["good"]);
});

zmtp(39, "two empty frames are a reply of one empty frame", async (w) => {
  const raws = await routers(w);
  const req = w.req();
  req.connect(PLACE);
  await req.send(null);
  await w.settle();
  assertEquals(raws[0]!.messages(), ['"" ""']);
  raws[0]!.say(message("", ""));
  assertEquals((await req.receive()).map((frame) => frame.length), [0]);
});

zmtp(40, "correlate puts a counter of 4 octets in front of the delimiter", async (w) => {
  const raws = await routers(w);
  const req = w.req({ correlate: true });
  req.connect(PLACE);
  for (let i = 0; i < 3; i++) {
    await req.send("q");
    await w.settle();
    raws[0]!.say(numbered(numbersOf(raws[0]!).at(-1)!, "", `${i}`));
    assertEquals(await take(req, 1), [`${i}`]);
  }
  const numbers = numbersOf(raws[0]!);
  assertEquals(numbers.map((it) => it.length), [4, 4, 4]);
  const values = numbers.map((it) => new DataView(it.slice().buffer).getUint32(0));
  assertEquals(values.map((it) => (it - values[0]!) >>> 0), [0, 1, 2]);
});

zmtp(40, "with correlate a reply with another number, or none, is skipped", async (w) => {
  const raws = await routers(w);
  const req = w.req({ correlate: true });
  req.connect(PLACE);
  await req.send("q");
  await w.settle();
  const number = numbersOf(raws[0]!)[0]!;
  const other = number.slice();
  other[3]! ^= 1;
  raws[0]!.say(numbered(other, "", "other"), message("", "none"));
  raws[0]!.say(numbered(number.subarray(1), "", "short"), numbered(number, "x", "no delimiter"));
  raws[0]!.say(numbered(number, ""), hex("0004"), number);
  raws[0]!.say(numbered(join(number, hex("00")), "", "long"));
  await w.settle();
  assertEquals([req.readable, raws[0]!.left], [false, false]);
  raws[0]!.say(numbered(number, "", "right"));
  assertEquals(await take(req, 1), ["right"]);
});

zmtp(40, "with relaxed a new send cancels the old, safely with correlate", async (w) => {
  const raws = await routers(w);
  const req = w.req({ relaxed: true, correlate: true });
  req.connect(PLACE);
  await req.send("q1");
  await w.settle();
  const receiving = take(req, 1);
  assertEquals(req.writable, true);
  await req.send("q2");
  await w.settle();
  const [first, second] = numbersOf(raws[0]!);
  raws[0]!.say(numbered(first!, "", "a1"), numbered(second!, "", "a2"));
  assertEquals(await receiving, ["a2"]);
  assertEquals(await outcome(req.receive()), "EFSM");
});

zmtp(40, "with relaxed a reply that waited for the old request is thrown away", async (w) => {
  const raws = await routers(w);
  const req = w.req({ relaxed: true, correlate: true });
  req.connect(PLACE);
  await req.send("q1");
  await w.settle();
  raws[0]!.say(numbered(numbersOf(raws[0]!)[0]!, "", "a1"));
  await w.settle();
  assertEquals(req.readable, true);
  await req.send("q2");
  assertEquals(req.readable, false);
  await w.settle();
  raws[0]!.say(numbered(numbersOf(raws[0]!)[1]!, "", "a2"));
  assertEquals(await take(req, 1), ["a2"]);
});

zmtp(41, "REP keeps the envelope through the first empty frame", async (w) => {
  const rep = w.rep();
  await rep.bind(PLACE);
  const raw = await w.meet("DEALER");
  raw.say(message("hop 1", "hop 2", "", "body", "", "more"));
  assertEquals(await take(rep, 1), ["body||more"]);
  await rep.send(["answer", "", "end"]);
  await w.settle();
  assertEquals(raw.messages(), ['"hop 1" "hop 2" "" "answer" "" "end"']);
  raw.say(message("", "", ""));
  assertEquals((await rep.receive()).map((frame) => frame.length), [0, 0]);
  await rep.send(null);
  await w.settle();
  assertEquals(raw.messages()[1], '"" ""');
});

zmtp(
  41,
  "without a delimiter or a body a request is dropped, and the connection stays",
  async (w) => {
    const rep = w.rep();
    await rep.bind(PLACE);
    const raw = await w.meet("DEALER");
    raw.say(message("no delimiter"), message(""), message("hop", ""), message("a", "b", "c"));
    await w.settle();
    assertEquals([rep.readable, raw.left], [false, false]);
    raw.say(message("", "good"));
    assertEquals(await take(rep, 1), ["good"]);
  },
);

zmtp(41, "an answer goes to its asker, and is dropped without error if it is gone", async (w) => {
  const rep = w.rep();
  await rep.bind(PLACE);
  const [first, second] = [await w.meet("REQ"), await w.meet("REQ")];
  first.say(message("", "q1"));
  assertEquals(await take(rep, 1), ["q1"]);
  second.say(message("", "q2"));
  first.leave();
  await w.settle();
  const { budget } = inspect(rep);
  const used = budget.used;
  assertEquals(await outcome(rep.send("to nobody")), "done");
  assertEquals(budget.used, used);
  assertEquals(await take(rep, 1), ["q2"]);
  await rep.send("to the second");
  await w.settle();
  assertEquals(second.messages(), ['"" "to the second"']);
});

zmtp(41, "REP out of turn: EFSM", async (w) => {
  const rep = w.rep();
  await rep.bind(PLACE);
  const raw = await w.meet("REQ");
  for (let i = 0; i < 3; i++) {
    assertEquals(await outcome(rep.send("nobody asked")), "EFSM");
    assertEquals(rep.writable, false);
    const receiving = take(rep, 1);
    assertEquals(await outcome(rep.receive()), "EFSM");
    raw.say(message("", `${i}`));
    assertEquals(await receiving, [`${i}`]);
    assertEquals(await outcome(rep.receive()), "EFSM");
    assertEquals(rep.writable, true);
    assertEquals(await outcome(rep.send("answer")), "done");
  }
  await w.settle();
  assertEquals(raw.messages(), Array(3).fill('"" "answer"'));
});

zmtp(41, "REP serves its askers in turn", async (w) => {
  const rep = w.rep();
  await rep.bind(PLACE);
  const req = w.req();
  req.connect(PLACE);
  const busy = await w.meet("DEALER");
  for (let i = 0; i < 20; i++) busy.say(message("", `${i}`));
  await w.settle();
  await req.send("me too");
  await w.settle();
  const served: string[] = [];
  while (rep.readable) {
    const asked = await take(rep, 1);
    served.push(...asked);
    await rep.send(asked.join());
  }
  await w.settle();
  assertEquals(served.indexOf("me too") < 3, true);
  assertEquals(await take(req, 1), ["me too"]);
});
