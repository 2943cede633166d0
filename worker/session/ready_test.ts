// The ping-pong dialogue, a READY worker with one slot, as transcripts.

import { transcript } from "../../tests/scenarios/session_player.ts";

transcript(
  "in the dialect ready says READY, then PING each second",
  `
    0 opened
      0 says ["", READY]
    5 hears ["", PONG]
      5 is registered
    2005 passes
      1005 says ["", PING]
      2005 says ["", PING]
    2006 hears ["", PONG]
    3005 passes
      3005 says ["", PING]
  `,
  { dialect: "ready", slots: 1 },
);

transcript(
  "in the dialect ready neither pings nor counts periods while it works",
  `
    0 opened
      0 says ["", READY]
    0 hears ["", PONG]
      0 is registered
    500 hears ["", "resize", "picture"]
      500 begins ["resize", "picture"]
    60000 passes
    60000 gives ["small picture"]
      60000 says ["", "small picture"]
    60000 finishes 1
    62999 passes
      61000 says ["", PING]
      62000 says ["", PING]
    63000 passes
      63000 misses the broker
      63000 is forgotten
  `,
  { dialect: "ready", slots: 1 },
);

transcript(
  "in the dialect ready takes any job for one, whatever it looks like, and gives one frame at least",
  `
    0 opened
      0 says ["", READY]
    0 hears ["", PONG]
      0 is registered
    1 hears ["", REGISTERED, 10, "expire=3", "w1"]
      1 begins [REGISTERED, 10, "expire=3", "w1"]
    1 gives []
      1 says ["", ""]
    1 finishes 1
    2 hears ["", <job 1>, "", "x"]
      2 begins [<job 1>, "", "x"]
    2 gives ["a", "b"]
      2 says ["", "a", "b"]
    2 finishes 1
    3 hears ["", PONG, ""]
      3 begins [PONG, ""]
  `,
  { dialect: "ready", slots: 1 },
);

transcript(
  "in the dialect ready takes a job for the answer to READY: some brokers send no PONG",
  `
    0 hears ["", "x"]
      0 ignores it: a job before PONG
    0 opened
      0 says ["", READY]
    1 hears ["", "x"]
      1 is registered
      1 begins ["x"]
  `,
  { dialect: "ready", slots: 1 },
);

transcript(
  "in the dialect ready leaves by parting, after its job",
  `
    0 opened
      0 says ["", READY]
    0 hears ["", PONG]
      0 is registered
    1 hears ["", "x"]
      1 begins ["x"]
    2 deregisters
    3 gives ["y"]
      3 says ["", "y"]
    3 finishes 1
      3 parts
    4 closed
      4 is forgotten
      4 has left
    5 opened
    9999 passes
  `,
  { dialect: "ready", slots: 1 },
);

transcript(
  "in the dialect ready parts at once if it has nothing to do, and comes back when told",
  `
    0 opened
      0 says ["", READY]
    0 hears ["", PONG]
      0 is registered
    1 deregisters
      1 parts
    2 registers
    3 closed
      3 is forgotten
      3 has left
    4 opened
      4 says ["", READY]
    5 hears ["", EXIT]
      5 is told to exit
  `,
  { dialect: "ready", slots: 1 },
);

transcript(
  "in the dialect ready takes a broker that doesn't answer READY for lost",
  `
    0 opened
      0 says ["", READY]
    3000 passes
      3000 misses an answer
      3000 is forgotten
  `,
  { dialect: "ready", slots: 1 },
);
