// Calls without socket and clock: what goes to which broker, what is said again, and how each call
// ends exactly once.

import { assert, assertEquals } from "@std/assert";
import fc from "fast-check";
import { ERROR_SENTENCES } from "../protocol/dialogue/error_code.ts";
import { readHeaders } from "../protocol/dialogue/headers.ts";
import { encodeHeaders, type RequestKind } from "../protocol/dialogue/requests.ts";
import { octets, SIGNATURE } from "../protocol/dialogue/words.ts";
import { ViewMaker } from "../tests/kit/messages.ts";
import { type Call, Calls, MOST_SUBMISSIONS } from "./calls.ts";

const INSTANCE = octets("rotatest");

/** A message to a broker: the line, the words, and the call's number in place of its id. */
type Said = readonly [line: number, ...words: (string | number)[]];

/** What a call can be told in a test. */
interface Wish {
  kind?: RequestKind;
  timeout?: number;
  accept?: boolean;
  credit?: number;
  payload?: string[];
  headers?: [string, string][];
}

/** Calls, with what they said and what came of each. */
class Desk {
  /** What was said and not taken yet. */
  readonly said: Said[] = [];
  /** Headers of all requests that were sent. */
  readonly headers: Uint8Array[] = [];
  readonly refusals: string[] = [];
  readonly full: Set<number> = new Set();
  readonly calls: Calls;
  readonly #ends: Map<Call, string[]> = new Map();
  readonly #views = new ViewMaker();
  now = 0;

  constructor(lines = 1) {
    this.calls = new Calls(
      {
        send: (line, frames) => this.#note(line, frames),
        full: (line) => this.full.has(line),
        refused: (command, code) => this.refusals.push(`${text(command)} ${code}`),
      },
      INSTANCE,
      lines,
    );
  }

  make(wish: Wish = {}): Call {
    const { kind = "TRACKEXEC", timeout = Infinity, accept = false, credit = 0 } = wish;
    const told: string[] = [];
    const request = {
      kind,
      command: octets("do"),
      payload: (wish.payload ?? []).map(octets),
      headers: encodeHeaders(wish.headers ?? []),
      timeout,
      accept,
    };
    const frames = (message: Parameters<Calls["received"]>[0] | undefined, first: number) => {
      const all = [];
      for (let i = first; i < (message?.count ?? 0); i++) {
        all.push(text(message!.bytes.subarray(message!.starts[i], message!.ends[i])));
      }
      return all.join("+");
    };
    const call = this.calls.make(
      request,
      {
        done: (message, first) => told.push(`done ${frames(message, first)}`.trim()),
        chunk: (message, first) => told.push(`chunk ${frames(message, first)}`),
        failed: (code) => told.push(`failed ${code}`),
      },
      credit,
      this.now,
    );
    this.#ends.set(call, told);
    return call;
  }

  up(line = 0): void {
    this.calls.lineUp(line, this.now);
  }

  down(line?: number, shut?: string): number {
    return this.calls.lineDown(line ?? 0, this.now, shut);
  }

  /** A broker answers a call. */
  hear(call: Call, word: string, ...rest: string[]): boolean {
    return this.hearFrames([new Uint8Array(0), SIGNATURE, octets(word), call.id], ...rest);
  }

  hearFrames(frames: readonly Uint8Array[], ...rest: string[]): boolean {
    let known = false;
    this.#views.with([...frames, ...rest.map(octets)], (view) => {
      known = this.calls.received(view, this.now);
    });
    return known;
  }

  tick(now: number): void {
    this.now = now;
    this.calls.tick(now);
  }

  /** Takes what was said. */
  take(): Said[] {
    return this.said.splice(0);
  }

  /** What a call was told. */
  told(call: Call): string[] {
    return this.#ends.get(call)!;
  }

  #note(line: number, frames: readonly Uint8Array[]): void {
    const [delimiter, signature, word, id, ...rest] = frames;
    assertEquals([delimiter!.length, signature], [0, SIGNATURE]);
    assertEquals(id!.subarray(0, 8), INSTANCE);
    const kind = text(word!);
    if (kind === "CANCEL" || kind === "CREDIT") {
      this.said.push([line, kind, numberOf(id!), ...rest.map(text)]);
      return;
    }
    const [command, headers, ...payload] = rest;
    this.headers.push(headers!);
    this.said.push([line, kind, numberOf(id!), text(command!), ...payload.map(text)]);
  }
}

function text(bytes: Uint8Array): string {
  return new TextDecoder().decode(bytes);
}

function numberOf(id: Uint8Array): number {
  return Number(new DataView(id.buffer, id.byteOffset).getBigUint64(8));
}

function headersOf(bytes: Uint8Array) {
  return readHeaders(bytes, 0, bytes.length)!;
}

Deno.test("make() sends at once where a broker is there, else when one comes, in order", () => {
  const desk = new Desk();
  desk.make({ payload: ["a", "b"] });
  desk.make({ kind: "STREAM", credit: 4 });
  assertEquals(desk.take(), []);
  assertEquals(desk.calls.connected, false);
  desk.up();
  assertEquals(desk.calls.connected, true);
  desk.make();
  assertEquals(desk.take(), [
    [0, "TRACKEXEC", 1, "do", "a", "b"],
    [0, "STREAM", 2, "do"],
    [0, "CREDIT", 2, "4"],
    [0, "TRACKEXEC", 3, "do"],
  ]);
});

Deno.test("a call that has gone to one broker isn't sent to the next that comes", () => {
  const desk = new Desk(2);
  desk.make();
  desk.up(1);
  assertEquals(desk.take(), [[1, "TRACKEXEC", 1, "do"]]);
  desk.up(0);
  assertEquals(desk.take(), []);
});

Deno.test("received() ends a call once, by RESPONSE, END or ERROR, and forgets it", () => {
  const desk = new Desk();
  desk.up();
  const [one, two, three] = [desk.make(), desk.make({ kind: "STREAM" }), desk.make()];
  assert(desk.hear(three, "ERROR", "NOT_FOUND", "There is no such door"));
  assert(desk.hear(one, "RESPONSE", "x", "y"));
  assert(desk.hear(two, "END"));
  assertEquals([one, two, three].map((it) => desk.told(it)), [
    ["done x+y"],
    ["done"],
    ["failed NOT_FOUND"],
  ]);
  assertEquals(desk.calls.size, 0);
  for (const call of [one, two, three]) assertEquals(desk.hear(call, "RESPONSE", "z"), false);
  assertEquals(desk.told(one).length, 1);
});

Deno.test("received() gives every code of the protocol to its caller as it is", () => {
  const desk = new Desk();
  desk.up();
  for (const [code, sentence] of Object.entries(ERROR_SENTENCES)) {
    const call = desk.make();
    assert(desk.hear(call, "ERROR", code, sentence));
    assertEquals(desk.told(call), [`failed ${code}`]);
  }
});

Deno.test("received() passes over what is no answer to a call of this client", () => {
  const desk = new Desk();
  desk.up();
  const call = desk.make();
  const empty = new Uint8Array(0);
  const strange = call.id.slice();
  strange[0]! ^= 1;
  const frames: Uint8Array[][] = [
    [],
    [empty],
    [empty, SIGNATURE, octets("RESPONSE")],
    [SIGNATURE, octets("RESPONSE"), call.id, octets("x")],
    [empty, octets("ROTA"), octets("RESPONSE"), call.id],
    [empty, octets("\0rota\x01"), octets("RESPONSE"), call.id],
    [empty, octets("\0ROTA\x02"), octets("RESPONSE"), call.id],
    [empty, SIGNATURE, octets("RESPONSE"), strange],
    [empty, SIGNATURE, octets("RESPONSE"), call.id.subarray(1)],
    [empty, SIGNATURE, octets("RESPONSES"), call.id],
    [empty, SIGNATURE, octets("ERROR"), call.id],
    [empty, SIGNATURE, octets("ERROR"), call.id, octets("BUSY")],
    [empty, SIGNATURE, octets("CREDIT"), call.id, octets("1")],
  ];
  for (const message of frames) assertEquals(desk.hearFrames(message), false);
  assertEquals(desk.told(call), []);
  assertEquals(desk.calls.size, 1);
});

Deno.test("received() understands the errors of another version, and nothing else of it", () => {
  const desk = new Desk();
  desk.up();
  const call = desk.make();
  const frames = [new Uint8Array(0), octets("\0ROTA\x02"), octets("ERROR"), call.id];
  assert(desk.hearFrames(frames, "VERSION", "Version 2 is spoken here"));
  assertEquals(desk.told(call), ["failed VERSION"]);
});

Deno.test("brokers are used in turn, and those that are away are passed over", () => {
  const desk = new Desk(3);
  for (const line of [0, 1, 2]) desk.up(line);
  for (let i = 0; i < 4; i++) desk.make();
  assertEquals(desk.take().map(([line]) => line), [0, 1, 2, 0]);
  desk.down(1);
  desk.take();
  for (let i = 0; i < 4; i++) desk.make();
  assertEquals(desk.take().map(([line]) => line), [0, 2, 0, 2]);
  desk.up(1);
  for (let i = 0; i < 3; i++) desk.make();
  assertEquals(desk.take().map(([line]) => line), [0, 1, 2]);
});

Deno.test("lineDown() makes what wasn't answered again elsewhere, with the same id", () => {
  const desk = new Desk(2);
  desk.up(0);
  const [answered, open] = [desk.make(), desk.make({ payload: ["p"] })];
  desk.hear(answered, "RESPONSE");
  desk.take();
  desk.up(1);
  assertEquals(desk.down(0), 1);
  assertEquals(desk.take(), [[1, "TRACKEXEC", 2, "do", "p"]]);
  desk.hear(open, "RESPONSE", "at last");
  assertEquals(desk.told(open), ["done at last"]);
});

Deno.test("lineDown() has calls wait where no other broker is there, in their old order", () => {
  const desk = new Desk();
  desk.up();
  const calls = [desk.make(), desk.make(), desk.make()];
  desk.take();
  desk.down();
  desk.make();
  assertEquals(desk.take(), []);
  desk.up();
  assertEquals(desk.take().map(([, , number]) => number), [1, 2, 3, 4]);
  for (const call of calls) assertEquals(desk.told(call), []);
});

Deno.test("a stream that has begun isn't made again; one that hasn't is, with its credit", () => {
  const desk = new Desk(2);
  desk.up(0);
  const begun = desk.make({ kind: "STREAM", credit: 8 });
  const fresh = desk.make({ kind: "STREAM", credit: 8 });
  desk.hear(begun, "PARTIAL", "a");
  desk.calls.give(fresh, 3);
  assertEquals(desk.take().at(-1), [0, "CREDIT", 2, "3"]);
  desk.up(1);
  desk.down(0);
  assertEquals(desk.told(begun), ["chunk a", "failed CONNECTION_LOST"]);
  assertEquals(desk.take(), [[1, "STREAM", 2, "do"], [1, "CREDIT", 2, "11"]]);
});

Deno.test("give() of a stream that waits for a broker is said when there is one", () => {
  const desk = new Desk();
  const call = desk.make({ kind: "STREAM", credit: 2 });
  desk.calls.give(call, 3);
  desk.up();
  assertEquals(desk.take(), [[0, "STREAM", 1, "do"], [0, "CREDIT", 1, "5"]]);
  desk.hear(call, "END");
  desk.calls.give(call, 1);
  assertEquals(desk.take(), []);
});

Deno.test("a chunk that wasn't asked for ends the call, and the broker is told", () => {
  const desk = new Desk();
  desk.up();
  for (const call of [desk.make({ kind: "STREAM", credit: 1 }), desk.make()]) {
    desk.take();
    if (call.credit > 0) desk.hear(call, "PARTIAL", "a");
    desk.hear(call, "PARTIAL", "b");
    assertEquals(desk.told(call).at(-1), "failed WORKER_FAILED");
    assertEquals(desk.take(), [[0, "CANCEL", call.number]]);
  }
});

Deno.test("a call is made a hundred times at most", () => {
  const desk = new Desk();
  const call = desk.make();
  for (let i = 1; i <= MOST_SUBMISSIONS; i++) {
    assertEquals(desk.told(call), []);
    desk.up();
    desk.down();
  }
  assertEquals(desk.take().length, MOST_SUBMISSIONS);
  assertEquals(desk.told(call), ["failed CONNECTION_LOST"]);
});

Deno.test("tick() ends calls whose time is up, tells their broker, and no others", () => {
  const desk = new Desk();
  const waiting = desk.make({ timeout: 30 });
  assertEquals(desk.calls.nextDue, 30);
  desk.tick(29);
  assertEquals(desk.told(waiting), []);
  desk.tick(30);
  assertEquals(desk.told(waiting), ["failed TIMEOUT"]);
  desk.up();
  const [short, long] = [desk.make({ timeout: 10 }), desk.make({ timeout: 20 })];
  const forEver = desk.make();
  desk.take();
  desk.tick(45);
  assertEquals([short, long, forEver].map((it) => desk.told(it)), [["failed TIMEOUT"], [], []]);
  assertEquals(desk.take(), [[0, "CANCEL", short.number]]);
  desk.hear(long, "RESPONSE");
  assertEquals(desk.calls.nextDue, Infinity);
});

Deno.test("what broker or worker say of a call whose time is up is a timeout; sooner it isn't", () => {
  const desk = new Desk();
  desk.up();
  for (const code of ["EXPIRED", "CANCELLED"]) {
    const [early, late, other] = [10, 5, 5].map((timeout) => desk.make({ timeout }));
    desk.now += 5;
    for (const call of [early, late]) desk.hear(call!, "ERROR", code, "Too late");
    desk.hear(other!, "ERROR", "NOT_FOUND", "No such door");
    const told = [early, late, other].map((it) => desk.told(it!));
    assertEquals(told, [[`failed ${code}`], ["failed TIMEOUT"], ["failed NOT_FOUND"]]);
  }
});

Deno.test("the broker is told what is left of the timeout, rounded up; never with an EXEC", () => {
  const desk = new Desk(2);
  desk.make({ timeout: 1000, headers: [["service", "images"], ["traceparent", "00-1"]] });
  desk.now = 400.5;
  desk.up(0);
  desk.now = 999.9;
  desk.down(0);
  desk.up(1);
  const [first, second] = desk.headers.map(headersOf);
  assertEquals([first!.timeout, second!.timeout], [600, 1]);
  assertEquals(text(second!.service!), "images");
  assert(text(desk.headers[1]!).includes("traceparent"));
  desk.make({ kind: "EXEC", timeout: 1000 });
  assertEquals(desk.headers.at(-1)!.length, 0);
});

Deno.test("cancel() tells the broker and ends the call without a word to its caller", () => {
  const desk = new Desk();
  const unsent = desk.make();
  assert(desk.calls.cancel(unsent));
  desk.up();
  assertEquals(desk.take(), []);
  const call = desk.make({ timeout: 10 });
  desk.take();
  assert(desk.calls.cancel(call));
  assertEquals(desk.take(), [[0, "CANCEL", call.number]]);
  assertEquals(desk.calls.cancel(call), false);
  assertEquals(desk.hear(call, "ERROR", "CANCELLED", "The client cancelled the job"), false);
  desk.tick(100);
  assertEquals([desk.told(call), desk.calls.size, desk.take()], [[], 0, []]);
});

Deno.test("an EXEC that waits for ACCEPTED ends with it, or with the refusal, or is made again", () => {
  const desk = new Desk();
  desk.up();
  const wish: Wish = { kind: "EXEC", accept: true, headers: [["accept", "1"]] };
  const [taken, refused, lost] = [desk.make(wish), desk.make(wish), desk.make(wish)];
  assert(desk.headers.every((it) => headersOf(it).accept));
  desk.hear(taken, "ACCEPTED");
  desk.hear(refused, "ERROR", "BUSY", "No room");
  assertEquals([desk.told(taken), desk.told(refused)], [["done"], ["failed BUSY"]]);
  desk.take();
  desk.down();
  desk.up();
  assertEquals(desk.take(), [[0, "EXEC", lost.number, "do"]]);
});

Deno.test("ACCEPTED is no answer to a call that waits for more", () => {
  const desk = new Desk();
  desk.up();
  const call = desk.make();
  assert(desk.hear(call, "ACCEPTED"));
  assertEquals(desk.told(call), []);
  desk.hear(call, "RESPONSE", "x");
  assertEquals(desk.told(call), ["done x"]);
});

Deno.test("an EXEC that nobody waits for is done when it is sent; a refusal is told to the sink", () => {
  const desk = new Desk();
  const call = desk.make({ kind: "EXEC" });
  assertEquals(desk.told(call), []);
  desk.up();
  assertEquals([desk.told(call), desk.calls.size], [["done"], 0]);
  assert(desk.hear(call, "ERROR", "BUSY", "No room"));
  assertEquals(desk.refusals, ["do BUSY"]);
  assertEquals(desk.hear(call, "ERROR", "BUSY", "No room"), false);
  desk.down();
  desk.take();
  desk.up();
  assertEquals(desk.take(), []);
});

Deno.test("refusals can be told of the last 1,024 sends, so that memory stays bounded", () => {
  const desk = new Desk();
  desk.up();
  const sends = Array.from({ length: 1025 }, () => desk.make({ kind: "EXEC" }));
  assertEquals(desk.hear(sends[0]!, "ERROR", "BUSY", "No room"), false);
  assertEquals(desk.hear(sends[1]!, "ERROR", "BUSY", "No room"), true);
});

Deno.test("an EXEC waits for room where too much waits to go out, and isn't lost meanwhile", () => {
  const desk = new Desk(2);
  desk.up(0);
  desk.full.add(0);
  const [one, two] = [desk.make({ kind: "EXEC" }), desk.make({ kind: "EXEC" })];
  assertEquals([desk.told(one), desk.calls.size], [[], 2]);
  desk.calls.room(1);
  assertEquals(desk.told(one), []);
  desk.calls.room(0);
  assertEquals([desk.told(one), desk.told(two)], [["done"], ["done"]]);
  const held = desk.make({ kind: "EXEC" });
  desk.take();
  desk.up(1);
  desk.down(0);
  assertEquals(desk.take(), [[1, "EXEC", held.number, "do"]]);
  assertEquals(desk.told(held), ["done"]);
});

Deno.test("a broker that shuts down is used no more while another is there", () => {
  const desk = new Desk(2);
  desk.up(0);
  desk.up(1);
  const calls = [desk.make(), desk.make(), desk.make({ kind: "STREAM", credit: 1 })];
  desk.hear(calls[2]!, "PARTIAL", "a");
  desk.take();
  desk.hear(calls[0]!, "ERROR", "SHUTDOWN", "The broker shuts down");
  assertEquals(desk.take(), [[1, "TRACKEXEC", 1, "do"]]);
  desk.hear(calls[2]!, "ERROR", "SHUTDOWN", "The broker shuts down");
  assertEquals(desk.told(calls[2]!), ["chunk a", "failed SHUTDOWN"]);
  desk.make();
  assertEquals(desk.take().map(([line]) => line), [1]);
  desk.hear(calls[1]!, "ERROR", "SHUTDOWN", "The broker shuts down");
  assertEquals(desk.told(calls[1]!), ["failed SHUTDOWN"]);
  desk.make();
  assertEquals(desk.take().length, 1, "with nobody else there, even one that shuts down is asked");
  desk.down(0);
  desk.up(0);
  desk.take();
  desk.make();
  assertEquals(desk.take().map(([line]) => line), [0]);
});

Deno.test("where every broker refuses this client for good, calls fail instead of waiting", () => {
  const desk = new Desk(2);
  desk.up(0);
  const [sent, waiting] = [desk.make(), desk.make()];
  desk.down(0, "not for you");
  assertEquals([desk.told(sent), desk.calls.trouble], [[], undefined]);
  desk.down(1, "nor here");
  assertEquals(desk.calls.trouble, "nor here");
  assertEquals(
    [sent, waiting].map((it) => desk.told(it).at(-1)),
    Array(2).fill("failed CONNECTION_LOST"),
  );
  assertEquals(desk.told(desk.make()), ["failed CONNECTION_LOST"]);
  desk.up(1);
  desk.make();
  assertEquals([desk.take().at(-1)![0], desk.calls.trouble], [1, undefined]);
});

Deno.test("close() fails every call and cancels those that somebody waited for", () => {
  const desk = new Desk();
  desk.up();
  const calls = [
    desk.make(),
    desk.make({ kind: "STREAM", credit: 1 }),
    desk.make({ kind: "EXEC", accept: true }),
  ];
  desk.take();
  desk.calls.close();
  assertEquals(desk.take(), [[0, "CANCEL", 1], [0, "CANCEL", 2]]);
  for (const call of calls) assertEquals(desk.told(call), ["failed CONNECTION_LOST"]);
  assertEquals([desk.calls.size, desk.calls.nextDue], [0, Infinity]);
});

Deno.test("ids are the instance and a counter, and none occurs twice", () => {
  const desk = new Desk();
  const ids = Array.from({ length: 1000 }, () => desk.make().id);
  assertEquals(new Set(ids.map((id) => id.toHex())).size, 1000);
  assertEquals(ids[0]!.toHex(), `${INSTANCE.toHex()}0000000000000001`);
});

Deno.test("whatever happens in whatever order, each call ends at most once, and nothing is left", () => {
  const steps = fc.array(fc.tuple(fc.nat(10), fc.nat(5), fc.nat(2)), { maxLength: 60 });
  fc.assert(
    fc.property(steps, (list) => {
      const desk = new Desk(3);
      const calls: Call[] = [];
      for (const [step, which, line] of list) {
        const call = calls[which % Math.max(1, calls.length)];
        if (step === 0) desk.up(line);
        else if (step === 1) desk.down(line);
        else if (step === 2) desk.tick(desk.now + which);
        else if (step === 3) calls.push(desk.make({ timeout: 3 + which }));
        else if (step === 4) calls.push(desk.make({ kind: "STREAM", credit: which }));
        else if (step === 5) calls.push(desk.make({ kind: "EXEC", accept: which > 2 }));
        else if (call === undefined) continue;
        else if (step === 6) desk.hear(call, "RESPONSE", "x");
        else if (step === 7) desk.hear(call, "PARTIAL", "x");
        else if (step === 8) desk.hear(call, "ERROR", "SHUTDOWN", "x");
        else if (step === 9) desk.calls.give(call, 1 + which);
        else desk.calls.cancel(call);
      }
      desk.calls.close();
      assertEquals([desk.calls.size, desk.calls.nextDue], [0, Infinity]);
      for (const call of calls) {
        const told = desk.told(call);
        const ends = told.filter((it) => !it.startsWith("chunk"));
        assert(
          ends.length <= 1 && told.slice(0, -1).every((it) => it.startsWith("chunk")),
          `${told}`,
        );
      }
    }),
    { numRuns: 2000 },
  );
});
