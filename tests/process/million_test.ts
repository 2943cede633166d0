/**
 * A million jobs of 100 octets in the backlog of `deno task broker`: what they cost the process, as
 * the system counts it, payload included.
 *
 * @module
 */
import { assert, assertEquals } from "@std/assert";
import { join } from "../conformance/vectors.ts";
import { Attacker, HANDSHAKE, HELLO_BYTES } from "../hostile/attacker.ts";
import { message } from "../hostile/broker_siege.ts";
import { BrokerChild } from "./broker_child.ts";

const JOBS = 1_000_000;
const JOB_BYTES = 100;
/** What each may cost. */
const MOST_BYTES = 170;
/** Jobs that are said in one write. */
const AT_ONCE = 10_000;

/** Octets of resident memory of a process: from /proc where there is one, else from ps. */
async function residentMemory(pid: number): Promise<number> {
  const script = 'grep VmRSS "/proc/$0/status" 2>/dev/null || ps -o rss= -p "$0"';
  const look = new Deno.Command("sh", { args: ["-c", script, String(pid)], stdin: "null" });
  const kibibytes = /\d+/.exec(new TextDecoder().decode((await look.output()).stdout));
  assert(kibibytes !== null, "nobody tells the memory of the broker's process");
  return Number(kibibytes[0]) * 1024;
}

Deno.test("1,000,000 jobs of 100 octets cost at most 170 octets of resident memory each", async () => {
  await using broker = await BrokerChild.start();
  using client = await Attacker.to(Number(broker.frontend.split(":").at(-1)), HANDSHAKE);
  await client.hear(HELLO_BYTES);
  const many = join(...Array.from({ length: AT_ONCE }, () => message("", "x".repeat(JOB_BYTES))));
  // What the process needs to take jobs at all is not the cost of a job.
  await client.say(message("", "the first"));
  await broker.until((stats) => stats.jobs.waiting === 1);
  const before = await residentMemory(broker.pid);
  for (let i = 0; i < JOBS; i += AT_ONCE) assert(await client.say(many), "it was closed");
  const { jobs, stored } = await broker.until((stats) => stats.jobs.waiting > JOBS);
  const each = (await residentMemory(broker.pid) - before) / JOBS;
  assertEquals(jobs.accepted, JOBS + 1);
  assert(stored >= JOBS * JOB_BYTES);
  assert(each <= MOST_BYTES, `${each.toFixed(1)} octets each`);
  assert(each > JOB_BYTES, `${each.toFixed(1)} octets each: what was measured?`);
});
