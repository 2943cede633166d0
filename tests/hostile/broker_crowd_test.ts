/**
 * Attacks by number against a live broker: crowds that submit and vanish, and names made to collide.
 *
 * @module
 */
import { assert, assertEquals } from "@std/assert";
import v8 from "node:v8";
import vm from "node:vm";
import { hex, join } from "../conformance/vectors.ts";
import { Attacker, HANDSHAKE, handshakeAs, HELLO_BYTES } from "./attacker.ts";
import { BrokerSiege, message, MIB, type Port, request } from "./broker_siege.ts";

/** The garbage is collected now: else a heap's size says nothing. */
function heapAfterCollection(): number {
  v8.setFlagsFromString("--expose-gc");
  const collect = vm.runInNewContext("gc") as () => void;
  collect();
  collect();
  return Deno.memoryUsage().heapUsed;
}

/** One way to come, leave something behind and vanish. */
type Visit = readonly [Port, (visit: number) => readonly Uint8Array[]];

/** Clients that submit and workers that register, each in several ways. */
const VISITS: readonly Visit[] = [
  ["frontend", () => [HANDSHAKE, message("", "job")]],
  ["frontend", (i) => [handshakeAs(`c${i}`), message("", "job")]],
  ["frontend", (i) => [HANDSHAKE, message(...request("TRACKEXEC", i, { ttl: "5000" }))]],
  ["frontend", (i) => [HANDSHAKE, message(...request("STREAM", i, { service: `s${i % 50}` }))]],
  ["frontend", () => [HANDSHAKE, message("", "job").subarray(0, 4)]],
  ["backend", (i) => [HANDSHAKE, message("", "REGISTER", "3", "service=none", `w${i}`)]],
  ["backend", (i) => [handshakeAs(`w${i}`), message("", "REGISTER", "3", "service=x", `w${i}`)]],
  ["backend", () => [HANDSHAKE, hex("01ff")]],
];

/** Comes and vanishes that often, 50 at a time; then the time of those who might return is over. */
async function visit(siege: BrokerSiege, from: number, times: number): Promise<void> {
  let next = from;
  const end = from + times;
  await Promise.all(Array.from({ length: 50 }, async () => {
    while (next < end) {
      const number = next++;
      const [port, says] = VISITS[number % VISITS.length]!;
      using attacker = await Attacker.to(siege.port(port), ...says(number));
      await attacker.hear(HELLO_BYTES);
    }
  }));
  const left = () => siege.counted.frontend.connections + siege.counted.backend.connections;
  await siege.until(() => left() === 2);
  await siege.pass(12_000);
  await siege.until(() => siege.counted.jobs.waiting === 0);
}

Deno.test("20,000 peers that submit or register and vanish leave everything as it was", async () => {
  await using siege = await BrokerSiege.lay({ most: 3 * MIB });
  await visit(siege, 0, 1600);
  const { core, front, back } = siege.inside;
  const look = () => ({
    jobs: core.state.jobs.size,
    deadlines: [core.state.deadlines.size, front.deadlines.size, back.deadlines.size],
    dates: [core.state.dates.size, core.state.runs.size, core.state.streams.size],
    timers: siege.io.timers.size,
    clients: core.state.clients.filter(Boolean).length,
    workers: core.state.workers.filter(Boolean).length,
  });
  const before = look();
  const tables = [core.state.clients.length, core.state.workers.length];
  const heap = heapAfterCollection();
  await visit(siege, 1600, 20_000);
  const grown = heapAfterCollection() - heap;
  assert(grown < 2 * MIB, `the heap has grown by ${grown} octets`);
  await siege.until(() => core.state.jobs.size === 0);
  const after = look();
  assertEquals({ ...after, jobs: 0 }, { ...before, jobs: 0 });
  assert(core.state.clients.length <= tables[0]! + 7600, "the table of clients has grown");
  assert(core.state.workers.length <= tables[1]! + 100, "the table of workers has grown");
  assert(siege.dropped("client gone") > 7000);
  assertEquals(siege.counted.clients, 1);
});

/** Names that are multiples of 4,096: V8's hash of such decimal strings puts all in one bucket. */
const hostile = (i: number) => String((i + 1) * 4096);
const ordinary = (i: number) => `n${(i + 1) * 4096}`;
const NAMES = 4095;
const ROUNDS = 15;

/**
 * Milliseconds that the broker takes for a message of each name, the best of some rounds. Each is
 * answered by one message; octets are made beforehand, so that the look-up is what counts.
 */
async function timed(
  siege: BrokerSiege,
  port: Port,
  name: (i: number) => string,
  say: (name: string, i: number) => Uint8Array,
): Promise<number> {
  const all = join(...Array.from({ length: NAMES }, (_, i) => say(name(i), i)));
  const peer = await siege.attack(port);
  await peer.hear(HELLO_BYTES);
  let best = Infinity;
  let answers = 0;
  for (let round = 0; round < ROUNDS; round++) {
    const begin = performance.now();
    const said = peer.say(all);
    for (const end = answers + NAMES; answers < end;) answers += await peer.hearMessages();
    best = Math.min(best, performance.now() - begin);
    await said;
  }
  return best;
}

/** Time for native jobs of these services: there is no room for them, but the name is looked up. */
async function services(name: (i: number) => string): Promise<number> {
  await using siege = await BrokerSiege.lay({ limits: { services: 5000 }, backlogJobs: 1 });
  await siege.dealer("frontend").send(["", "fills the backlog"]);
  await siege.until(() => siege.waiting === 1);
  const say = (service: string, i: number) => message(...request("EXEC", i, { service }));
  return await timed(siege, "frontend", name, say);
}

/** Time for workers behind one connection that register these addresses, again and again. */
async function addresses(name: (i: number) => string): Promise<number> {
  await using siege = await BrokerSiege.lay({
    limits: { workersOfConnection: 5000 },
    most: 8 * MIB,
  });
  const say = (address: string) => message(address, "", "REGISTER", "1", address);
  return await timed(siege, "backend", name, say);
}

for (const [what, measure] of Object.entries({ services, addresses })) {
  Deno.test(`4,095 ${what} whose names would collide are found as fast as others`, async () => {
    // In turn, so that whatever else the machine does is in both.
    let [fair, foul] = [Infinity, Infinity];
    for (let i = 0; i < 2; i++) {
      fair = Math.min(fair, await measure(ordinary));
      foul = Math.min(foul, await measure(hostile));
    }
    assert(foul < 3 * fair, `${foul} ms against ${fair} ms`);
  });
}
