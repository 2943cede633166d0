// The jobs of a worker: what is said of each when it is over, which wait, and which are forgotten.

import { assertEquals } from "@std/assert";
import { writeJobId } from "../protocol/dialogue/job_id.ts";
import { MemoryNetwork } from "../protocol/io/memory_io.ts";
import { ANSWER_FRAMES } from "./answer.ts";
import { Desk } from "./desk.ts";
import { Journal } from "./journal.ts";
import type { JobData, RunEvents, Runner } from "./run.ts";

const octets = (text: string) => new TextEncoder().encode(text);
const reason = (text: string) => new DOMException(text, "AbortError");

function id(number: number): Uint8Array {
  const bytes = new Uint8Array(9);
  writeJobId(bytes, 0, number, 1);
  return bytes;
}

/** A desk with a runner that is moved by hand, and what came of it. */
class Stage implements Runner {
  readonly ready = Promise.resolve();
  readonly said: string[] = [];
  readonly begun: string[] = [];
  readonly runs: Map<string, RunEvents> = new Map();
  readonly lines: string[] = [];
  now = 0;
  readonly desk: Desk;

  constructor(slots = 2, debug = 0) {
    const io = { ...new MemoryNetwork().io(), now: () => this.now };
    const tell = ({ event, details }: { event: string; details: object }) =>
      this.lines.push(`${event} ${JSON.stringify(details)}`);
    this.desk = new Desk({
      runner: this,
      replies: {
        answer: (id, frames) => this.said.push(`${id[4]}: ${text(frames)}`),
        result: (frames) => this.said.push(`result ${text(frames)}`),
        finished: () => this.said.push("finished"),
        idle: () => this.said.push("idle"),
      },
      journal: new Journal(tell, debug, io),
      slots,
      now: () => this.now,
    });
  }

  take(number: number | undefined, command: string, more: Partial<JobData> = {}): void {
    const data = { kind: "TRACKEXEC", attempt: 1, headers: [], frames: [], timeout: -1 } as const;
    const job: JobData = { ...data, command, ...more };
    this.desk.take(number === undefined ? undefined : id(number), job);
  }

  run(data: JobData, events: RunEvents) {
    const { command, timeout } = data;
    this.begun.push(timeout < 0 ? command : `${command} within ${timeout}`);
    this.runs.set(command, events);
    return {
      cancel: ({ message }: DOMException) => this.begun.push(`${command} stops: ${message}`),
      credit: (count: number) => this.begun.push(`${command} may send ${count}`),
    };
  }

  done(command: string, ...frames: string[]): void {
    this.runs.get(command)!.done(frames.map(octets));
  }

  takeSaid(): string[] {
    return this.said.splice(0);
  }

  [Symbol.asyncDispose](): Promise<void> {
    return Promise.resolve();
  }
}

function text(frames: readonly Uint8Array[]): string {
  return frames.map((it) => it[0] === 0 ? "SIG" : new TextDecoder().decode(it)).join(" ");
}

Deno.test("Desk answers each kind in its form, and frees a slot after success and failure", () => {
  const stage = new Stage(9);
  stage.take(1, "a");
  stage.take(2, "b", { kind: "EXEC" });
  stage.take(3, "c", { kind: "opaque" });
  stage.take(4, "d", { kind: "STREAM" });
  stage.take(5, "e");
  assertEquals([stage.desk.running, stage.desk.size], [5, 5]);
  stage.done("a", "x", "y");
  stage.done("b", "nobody waits for it");
  stage.done("c", "z");
  stage.runs.get("d")!.chunk([octets("one")]);
  stage.runs.get("d")!.ended();
  stage.runs.get("e")!.failed("NO_INK", "none left");
  assertEquals(stage.said, [
    "1: SIG RESPONSE x y",
    "finished",
    "2: ",
    "finished",
    "3: z",
    "finished",
    "4: SIG PARTIAL one",
    "4: SIG END",
    "finished",
    "5: SIG ERROR NO_INK none left",
    "finished",
    "idle",
  ]);
  const { completed, failed, running } = stage.desk;
  assertEquals([completed, failed, running], [4, 1, 0]);
});

Deno.test("Desk gives a READY worker's result without a job id, failures too", () => {
  const stage = new Stage(1);
  for (const result of ["x", "READY", "PING"]) {
    stage.take(undefined, "a", { kind: "opaque" });
    stage.done("a", result);
  }
  stage.take(undefined, "a", { kind: "opaque" });
  stage.runs.get("a")!.failed("NO_INK", "none left");
  const sentence =
    "A READY worker can't answer with a word of its dialogue; use the dialect register";
  assertEquals(stage.said.filter((it) => it.startsWith("result")), [
    "result x",
    `result ERROR RESERVED ${sentence}`,
    `result ERROR RESERVED ${sentence}`,
    "result ERROR NO_INK none left",
  ]);
});

Deno.test("Desk turns an answer or chunk that no broker would pass on into an ERROR", () => {
  const stage = new Stage();
  const many = Array.from({ length: ANSWER_FRAMES + 1 }, () => octets(""));
  stage.take(1, "a");
  stage.runs.get("a")!.done(many);
  stage.take(2, "b", { kind: "STREAM" });
  stage.runs.get("b")!.chunk([octets("fits")]);
  stage.runs.get("b")!.chunk(many);
  stage.runs.get("b")!.chunk([octets("too late")]);
  const message = `An answer has at most ${ANSWER_FRAMES} frames, not ${ANSWER_FRAMES + 1}`;
  assertEquals(stage.takeSaid(), [
    `1: SIG ERROR WORKER_FAILED ${message}`,
    "finished",
    "idle",
    "2: SIG PARTIAL fits",
    `2: SIG ERROR WORKER_FAILED ${message}`,
  ]);
  assertEquals(stage.begun, ["a", "b", `b stops: ${message}`]);
  // Its slot is free when the handler has stopped, and nothing more is said of it.
  stage.runs.get("b")!.failed("CANCELLED", "stopped");
  assertEquals(stage.takeSaid(), ["finished", "idle"]);
  assertEquals([stage.desk.completed, stage.desk.failed], [0, 2]);
});

Deno.test("Desk passes cancel and credit on to the job they are about", () => {
  const stage = new Stage();
  stage.take(1, "a");
  stage.take(2, "b");
  stage.desk.credit(id(2), 16);
  stage.desk.cancel(id(1), reason("nobody waits"));
  stage.desk.credit(id(3), 1);
  stage.desk.cancel(id(3), reason("who?"));
  assertEquals(stage.begun, ["a", "b", "b may send 16", "a stops: nobody waits"]);
});

Deno.test("Desk stops jobs that the broker has forgotten, and says nothing more of them", () => {
  const stage = new Stage();
  stage.take(1, "a");
  stage.take(2, "b", { kind: "EXEC" });
  stage.desk.forget(reason("the broker is gone"));
  assertEquals(stage.begun, ["a", "b", "a stops: the broker is gone"], "an EXEC goes on");
  stage.desk.cancel(id(1), reason("by the new broker"));
  stage.desk.forget(reason("again"));
  assertEquals(stage.begun.length, 3);
  stage.runs.get("a")!.failed("CANCELLED", "stopped");
  stage.done("b", "done");
  assertEquals([stage.said, stage.desk.failed], [["idle"], 2]);
});

Deno.test("Desk never runs more jobs than it has slots: those that come meanwhile wait", () => {
  const stage = new Stage(2);
  stage.take(1, "a");
  stage.take(2, "b");
  stage.desk.forget(reason("gone"));
  stage.begun.length = 0;
  stage.take(1, "c", { timeout: 500 });
  stage.take(2, "d");
  stage.take(3, "e");
  stage.take(4, "f", { timeout: 500 });
  assertEquals([stage.begun, stage.desk.running, stage.desk.size], [[], 2, 6]);
  stage.desk.credit(id(1), 5);
  stage.desk.cancel(id(2), reason("nobody waits"));
  assertEquals(stage.takeSaid(), ["2: SIG ERROR CANCELLED nobody waits", "finished"]);
  stage.now = 200;
  stage.done("a");
  assertEquals(stage.begun, ["c within 300", "c may send 5"]);
  stage.now = 500;
  stage.done("b");
  stage.done("e", "fine");
  assertEquals(stage.begun.slice(2), ["e"]);
  assertEquals(stage.takeSaid(), [
    "3: SIG RESPONSE fine",
    "finished",
    "4: SIG ERROR EXPIRED The job didn't start in time",
    "finished",
  ]);
  stage.done("c", "fine");
  assertEquals(stage.takeSaid(), ["1: SIG RESPONSE fine", "finished", "idle"]);
});

Deno.test("Desk copes with any number of jobs that ran out of time while they waited", () => {
  const stage = new Stage(1);
  stage.take(1, "a");
  stage.desk.forget(reason("gone"));
  const count = 20_000;
  for (let i = 0; i < count; i++) stage.take(2 + i, "late", { timeout: 100 });
  stage.now = 100;
  stage.done("a");
  assertEquals([stage.desk.size, stage.desk.failed], [0, count + 1]);
});

Deno.test("Desk forgets jobs that wait without a word", () => {
  const stage = new Stage(1);
  stage.take(1, "a");
  stage.desk.forget(reason("gone"));
  stage.take(2, "b");
  stage.desk.forget(reason("gone again"));
  stage.done("a");
  assertEquals([stage.said, stage.desk.size], [["idle"], 0]);
});

Deno.test("Desk stops everything at the end, an EXEC too", () => {
  const stage = new Stage(3);
  stage.take(1, "a");
  stage.take(2, "b", { kind: "EXEC" });
  stage.desk.stop(reason("the worker ends"));
  assertEquals(
    new Set(stage.begun.slice(2)),
    new Set(["a stops: the worker ends", "b stops: the worker ends"]),
  );
  stage.done("a", "too late");
  assertEquals(stage.said, []);
});

Deno.test("Desk answers a job that makes no sense", () => {
  const stage = new Stage();
  stage.desk.refuse(id(7));
  assertEquals(stage.said, [
    "7: SIG ERROR WORKER_FAILED The job isn't a legal native message",
    "finished",
  ]);
  assertEquals(stage.desk.failed, 1);
});

Deno.test("Desk knows which commands were at work since it was asked last", () => {
  const stage = new Stage();
  stage.take(1, "a");
  stage.take(2, "b");
  stage.done("a");
  assertEquals([...stage.desk.takeCommands()], ["a", "b"]);
  assertEquals([...stage.desk.takeCommands()], ["b"]);
  stage.done("b");
  assertEquals([...stage.desk.takeCommands()], ["b"]);
  assertEquals([...stage.desk.takeCommands()], []);
});

Deno.test("Desk tells of jobs at level 1 and of their sizes at level 3", () => {
  const quiet = new Stage(2, 0);
  quiet.take(1, "a");
  assertEquals(quiet.lines, []);
  const stage = new Stage(1, 4);
  stage.take(1, "a", { frames: [new Uint8Array(3)] });
  stage.take(2, "b", {
    kind: "opaque",
    whole: [octets("b"), octets("xy")],
    frames: [octets("xy")],
  });
  stage.done("a", "four");
  stage.runs.get("b")!.failed("NO_INK", "none");
  assertEquals(stage.lines, [
    'job {"command":"a","kind":"TRACKEXEC","attempt":1}',
    'job size {"command":"a","octets":3}',
    'job {"command":"b","kind":"opaque","attempt":1}',
    'job size {"command":"b","octets":3}',
    'a job waits: jobs that the broker has forgotten still run {"command":"b"}',
    'result size {"command":"a","octets":4}',
    'job failed {"command":"b","code":"NO_INK","message":"none"}',
  ]);
});
