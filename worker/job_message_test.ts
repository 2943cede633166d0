// Jobs as they come off the wire: native and opaque ones, copied, and those that aren't legal.

import { assertEquals } from "@std/assert";
import { Notation } from "../tests/scenarios/notation.ts";
import { ViewMaker } from "../tests/kit/messages.ts";
import { readJob } from "./job_message.ts";
import type { JobData } from "./run.ts";

/** Reads the job in a message; what it was read from is spoiled afterwards. */
function read(message: string, first = 3): JobData | undefined {
  let data: JobData | undefined;
  new ViewMaker().with(new Notation().read(message), (view) => data = readJob(view, first));
  return data;
}

const texts = (frames: readonly Uint8Array[] = []) =>
  frames.map((frame) => new TextDecoder().decode(frame));

Deno.test("readJob() reads a native job with headers, attempt and payload", () => {
  const data = read(
    '["", <job 1>, "", SIG, STREAM, 2, "resize", {Service=a, timeout=250, Trace-Id=x y}, "p", "q"]',
  )!;
  const { kind, command, attempt, headers, timeout, whole } = data;
  assertEquals([kind, command, attempt, timeout, whole], ["STREAM", "resize", 2, 250, undefined]);
  assertEquals(headers, [["service", "a"], ["timeout", "250"], ["trace-id", "x y"]]);
  assertEquals(texts(data.frames), ["p", "q"]);
});

Deno.test("readJob() reads each kind, without headers and payload too", () => {
  for (const kind of ["EXEC", "TRACKEXEC", "STREAM"]) {
    const data = read(`["", <job 1>, "", SIG, ${kind}, 1, "ping", ""]`)!;
    assertEquals([data.kind, data.headers, data.frames, data.timeout], [kind, [], [], -1]);
  }
});

Deno.test("readJob() takes an opaque job's first frame for its command, and keeps all of it", () => {
  const data = read('["", <job 1>, "", "echo", "a", "b"]')!;
  assertEquals([data.kind, data.command, data.attempt, data.timeout], ["opaque", "echo", 1, -1]);
  assertEquals([texts(data.frames), texts(data.whole)], [["a", "b"], ["echo", "a", "b"]]);
});

Deno.test("readJob() finds no command where the first frame can't be one", () => {
  for (const frame of ['""', "0xff01", '"x" * 256', "0xefbbbfff"]) {
    assertEquals(read(`["", <job 1>, "", ${frame}]`)!.command, "", frame);
  }
  assertEquals(read('["", <job 1>, "", "x" * 255]')!.command, "x".repeat(255));
  // A mark at the beginning is part of a name, so that no two names are one.
  assertEquals(read('["", <job 1>, "", 0xefbbbf61]')!.command, "\ufeffa");
});

Deno.test("readJob() reads a READY worker's job from its first frame on", () => {
  assertEquals(texts(read('["", "a", "b"]', 1)!.whole), ["a", "b"]);
});

Deno.test("readJob() refuses native jobs that aren't legal", () => {
  for (
    const body of [
      "SIG",
      "SIG, TRACKEXEC",
      'SIG, TRACKEXEC, 1, "ping"',
      'SIG, REPLY, 1, "ping", ""',
      'SIG, TRACKEXEC, 1, "ping", 0x00',
      'SIG, TRACKEXEC, 1, "ping", 0x0161ffffffff',
    ]
  ) {
    assertEquals(read(`["", <job 1>, "", ${body}]`), undefined, body);
  }
});
