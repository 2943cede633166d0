// A worker's conversation with its broker, as transcripts: what happens at which time, and below it
// what the worker says and does. See tests/scenarios/session_player.ts for the notation.

import { assertEquals, assertThrows } from "@std/assert";
import { transcript } from "../../tests/scenarios/session_player.ts";
import { type Phase, SessionPhase } from "./phase.ts";

transcript(
  "registers, pings each second, and is content while it hears of the broker",
  `
    5 opened
      5 says ["", REGISTER, 10, "rota=1", "w1"]
    7 hears ["", REGISTERED, 10, "expire=3", "w1"]
      7 is registered
    1500 passes
      1007 says ["", PING, "w1"]
    1500 hears ["", PONG]
    4400 passes
      2007 says ["", PING, "w1"]
      3007 says ["", PING, "w1"]
      4007 says ["", PING, "w1"]
    4400 hears ["", <job 1>, "", "hello"]
      4400 begins <job 1> ["hello"]
    7399 passes
      5007 says ["", PING, "w1"]
      6007 says ["", PING, "w1"]
      7007 says ["", PING, "w1"]
  `,
);

transcript(
  "says slots, services and that it pings while it works",
  `
    0 opened
      0 says ["", REGISTER, 3, "service=resize", "service=größe", "heartbeat=working", "rota=1", "w1"]
  `,
  { slots: 3, services: ["resize", "größe"], pingsWorking: true },
);

transcript(
  "pings three times within an expiry that is shorter than three heartbeats",
  `
    0 opened
      0 says ["", REGISTER, 10, "rota=1", "w1"]
    0 hears ["", REGISTERED, 10, "expire=0.3", "w1"]
      0 is registered
    300 passes
      100 says ["", PING, "w1"]
      200 says ["", PING, "w1"]
      300 says ["", PING, "w1"]
    300 closed
      300 is forgotten
    400 opened
      400 says ["", REGISTER, 10, "rota=1", "w1"]
    400 hears ["", REGISTERED, 10, "expire=30", "w1"]
      400 is registered
    1400 passes
      1400 says ["", PING, "w1"]
  `,
);

transcript(
  "keeps its own heartbeat where REGISTERED tells no expiry that makes sense",
  `
    0 opened
      0 says ["", REGISTER, 10, "rota=1", "w1"]
    0 hears ["", REGISTERED, 10, "later=1", "expire=soon", "w1"]
      0 is registered
    1000 passes
      1000 says ["", PING, "w1"]
  `,
);

transcript(
  "never pings more often than each millisecond",
  `
    0 opened
      0 says ["", REGISTER, 10, "rota=1", "w1"]
    0 hears ["", REGISTERED, 10, "expire=0.000001", "w1"]
      0 is registered
    3 passes
      1 says ["", PING, "w1"]
      2 says ["", PING, "w1"]
      3 says ["", PING, "w1"]
  `,
);

transcript(
  "begins nothing before REGISTERED, and ignores what makes no sense",
  `
    0 opened
      0 says ["", REGISTER, 10, "rota=1", "w1"]
    1 hears ["", <job 1>, "", "too early"]
      1 ignores it: a job before REGISTERED
    2 hears [READY]
      2 ignores it: no envelope
    2 hears ["x", PONG]
      2 ignores it: no envelope
    2 hears ["", "what", "is", "that?"]
      2 ignores it: not understood
    2 hears ["", PONG]
    3 hears ["", REGISTERED, 10, "w1"]
      3 is registered
    4 hears ["", REGISTERED, 10, "w1"]
      4 ignores it: REGISTERED that nobody asked for
    4 hears ["", REFUSED, slots, "w1"]
      4 ignores it: REFUSED that nobody asked for
    5 hears ["", <job 1>, "", "in time"]
      5 begins <job 1> ["in time"]
  `,
);

transcript(
  "passes on jobs of all kinds, CANCEL and CREDIT",
  `
    0 opened
      0 says ["", REGISTER, 10, "rota=1", "w1"]
    0 hears ["", REGISTERED, 10, "expire=3", "w1"]
      0 is registered
    1 hears ["", <job 1>, "", ""]
      1 begins <job 1> [""]
    2 hears ["", <job 2>, "", SIG, STREAM, 1, "count", {ttl=5}, "x"]
      2 begins <job 2> [SIG, STREAM, 1, "count", {ttl=5}, "x"]
    3 hears ["", <job 2>, "", SIG, CREDIT, 16]
      3 may send 16 of <job 2>
    4 hears ["", <job 2>, "", SIG, CREDIT, "-1"]
    4 hears ["", <job 2>, "", SIG, CREDIT, 0]
    4 hears ["", <job 2>, "", SIG, CANCEL]
      4 stops <job 2>
    5 answers <job 1> ["y"]
      5 says ["", <job 1>, "", "y"]
    6 hears ["", <job 3>, "", SIG]
      6 begins <job 3> [SIG]
  `,
);

transcript(
  "says INCREMENT once a turn, with a count if there are several",
  `
    0 opened
      0 says ["", REGISTER, 10, "rota=1", "w1"]
    0 hears ["", REGISTERED, 10, "expire=3", "w1"]
      0 is registered
    1 hears ["", <job 1>, "", "a"]
      1 begins <job 1> ["a"]
    1 hears ["", <job 2>, "", "b"]
      1 begins <job 2> ["b"]
    1 hears ["", <job 3>, "", "c"]
      1 begins <job 3> ["c"]
    2 finishes 0
    3 finishes 1
      3 says ["", INCREMENT, "w1"]
    4 finishes 2
      4 says ["", INCREMENT, 2, "w1"]
    5 finishes 0
  `,
);

transcript(
  "takes a broker for lost after N_TIMEOUTS silent periods of BROKER_TIMEOUT, and not before",
  `
    0 opened
      0 says ["", REGISTER, 10, "rota=1", "w1"]
    10 hears ["", REGISTERED, 10, "expire=3", "w1"]
      10 is registered
    500 hears ["", PONG]
    1499 passes
      1010 says ["", PING, "w1"]
    1500 passes
      1500 misses the broker
      1500 is forgotten
    9999 passes
  `,
  { brokerTimeout: 500, timeouts: 2 },
);

transcript(
  "takes a broker that doesn't answer REGISTER for lost too",
  `
    100 opened
      100 says ["", REGISTER, 10, "rota=1", "w1"]
    3099 passes
    3100 passes
      3100 misses an answer
      3100 is forgotten
    3200 opened
      3200 says ["", REGISTER, 10, "rota=1", "w1"]
  `,
);

transcript(
  "judges nobody by a tick that ran late: what the broker said waits to be read",
  `
    0 opened
      0 says ["", REGISTER, 10, "rota=1", "w1"]
    0 hears ["", REGISTERED, 10, "expire=3", "w1"]
      0 is registered
    9000 wakes
      9000 says ["", PING, "w1"]
    9001 hears ["", PONG]
    12000 passes
      10000 says ["", PING, "w1"]
      11000 says ["", PING, "w1"]
      12000 says ["", PING, "w1"]
    12001 passes
      12001 misses the broker
      12001 is forgotten
  `,
);

transcript(
  "gives a broker one period more after a late tick, and no more than that",
  `
    0 opened
      0 says ["", REGISTER, 10, "rota=1", "w1"]
    0 hears ["", REGISTERED, 10, "expire=3", "w1"]
      0 is registered
    9000 wakes
      9000 says ["", PING, "w1"]
    10000 passes
      10000 misses the broker
      10000 is forgotten
  `,
);

transcript(
  "registers again where the broker doesn't know it any more",
  `
    0 opened
      0 says ["", REGISTER, 10, "rota=1", "w1"]
    0 hears ["", REGISTERED, 10, "expire=3", "w1"]
      0 is registered
    1 hears ["", <job 1>, "", "a"]
      1 begins <job 1> ["a"]
    1000 passes
      1000 says ["", PING, "w1"]
    1001 hears ["", REFUSED, unknown, "w1"]
      1001 is forgotten
      1001 says ["", REGISTER, 10, "rota=1", "w1"]
    1002 hears ["", REFUSED, unknown, "w1"]
    1003 hears ["", REGISTERED, 10, "expire=3", "w1"]
      1003 is registered
  `,
);

for (const reason of ["slots", "option", "service", "address", "second-address", "socket-type"]) {
  transcript(
    `gives up where the broker refuses it at first: ${reason}`,
    `
    0 opened
      0 says ["", REGISTER, 10, "rota=1", "w1"]
    1 hears ["", REFUSED, "${reason}", "w1"]
      1 is refused: ${reason}, for good
    99999 passes
    99999 registers
      99999 says ["", REGISTER, 10, "rota=1", "w1"]
  `,
  );
}

for (const reason of ["address-in-use", "too-many-workers", "too-many-services"]) {
  transcript(
    `asks again after growing waits where a refusal may pass: ${reason}`,
    `
    0 opened
      0 says ["", REGISTER, 10, "rota=1", "w1"]
    0 hears ["", REFUSED, "${reason}", "w1"]
      0 is refused: ${reason}, again in 500
    500 passes
      500 says ["", REGISTER, 10, "rota=1", "w1"]
    500 hears ["", REFUSED, "${reason}", "w1"]
      500 is refused: ${reason}, again in 1000
    1500 passes
      1500 says ["", REGISTER, 10, "rota=1", "w1"]
    1500 hears ["", REGISTERED, 10, "expire=3", "w1"]
      1500 is registered
    1600 closed
      1600 is forgotten
    1600 opened
      1600 says ["", REGISTER, 10, "rota=1", "w1"]
    1600 hears ["", REFUSED, "${reason}", "w1"]
      1600 is refused: ${reason}, again in 500
  `,
  );
}

transcript(
  "never gives up once it was in a table, and waits at most 30 s",
  `
    0 opened
      0 says ["", REGISTER, 10, "rota=1", "w1"]
    0 hears ["", REGISTERED, 10, "expire=3", "w1"]
      0 is registered
    10 closed
      10 is forgotten
    20 opened
      20 says ["", REGISTER, 10, "rota=1", "w1"]
    20 hears ["", REFUSED, slots, "w1"]
      20 is refused: slots, again in 500
      520 says ["", REGISTER, 10, "rota=1", "w1"]
    520 hears ["", REFUSED, slots, "w1"]
      520 is refused: slots, again in 1000
      1520 says ["", REGISTER, 10, "rota=1", "w1"]
    1520 hears ["", REFUSED, slots, "w1"]
      1520 is refused: slots, again in 2000
      3520 says ["", REGISTER, 10, "rota=1", "w1"]
    3520 hears ["", REFUSED, slots, "w1"]
      3520 is refused: slots, again in 4000
      7520 says ["", REGISTER, 10, "rota=1", "w1"]
    7520 hears ["", REFUSED, slots, "w1"]
      7520 is refused: slots, again in 8000
      15520 says ["", REGISTER, 10, "rota=1", "w1"]
    15520 hears ["", REFUSED, slots, "w1"]
      15520 is refused: slots, again in 15000
      30520 says ["", REGISTER, 10, "rota=1", "w1"]
    30520 hears ["", REFUSED, slots, "w1"]
      30520 is refused: slots, again in 15000
    30521 deregisters
    99999 passes
  `,
);

Deno.test("SessionPhase goes only where the table allows", () => {
  const phase = new SessionPhase();
  const seen: Phase[] = [];
  for (const next of ["stranger", "asking", "in", "leaving", "out", "asking", "away"] as const) {
    phase.go(next);
    seen.push(phase.now);
  }
  assertEquals(seen, ["stranger", "asking", "in", "leaving", "out", "asking", "away"]);
  assertThrows(() => phase.go("in"), Error, "Cannot go from away to in");
  assertEquals(phase.now, "away");
});
