// How a worker leaves and comes back, as transcripts: no job may be lost on the way.

import { transcript } from "../../tests/scenarios/session_player.ts";

transcript(
  "waits for no answer to DEREGISTER, but has left only when no job can be on its way",
  `
    0 opened
      0 says ["", REGISTER, 10, "rota=1", "w1"]
    0 hears ["", REGISTERED, 10, "expire=3", "w1"]
      0 is registered
    10 deregisters
      10 says ["", DEREGISTER, "w1"]
      10 says ["", PING, "w1"]
    11 hears ["", <job 1>, "", "on its way"]
      11 begins <job 1> ["on its way"]
    12 hears ["", PONG]
      12 has left
    13 answers <job 1> ["done"]
      13 says ["", <job 1>, "", "done"]
    13 finishes 1
      13 says ["", INCREMENT, "w1"]
    1010 passes
      1010 says ["", PING, "w1"]
    1010 deregisters
  `,
);

transcript(
  "isn't misled by the answer to a PING that it had sent before it left",
  `
    0 opened
      0 says ["", REGISTER, 10, "rota=1", "w1"]
    0 hears ["", REGISTERED, 10, "expire=3", "w1"]
      0 is registered
    1000 passes
      1000 says ["", PING, "w1"]
    1001 deregisters
      1001 says ["", DEREGISTER, "w1"]
      1001 says ["", PING, "w1"]
    1002 hears ["", PONG]
    1003 hears ["", <job 1>, "", "on its way"]
      1003 begins <job 1> ["on its way"]
    1004 hears ["", PONG]
      1004 has left
  `,
);

transcript(
  "that is told to come back while it leaves comes back once it has left",
  `
    0 opened
      0 says ["", REGISTER, 10, "rota=1", "w1"]
    0 hears ["", REGISTERED, 10, "expire=3", "w1"]
      0 is registered
    1 deregisters
      1 says ["", DEREGISTER, "w1"]
      1 says ["", PING, "w1"]
    2 registers
    3 hears ["", PONG]
      3 has left
      3 says ["", REGISTER, 10, "rota=1", "w1"]
    4 hears ["", REGISTERED, 10, "expire=3", "w1"]
      4 is registered
  `,
);

transcript(
  "frees no slot twice: REGISTER counts them all as free, those of running jobs too",
  `
    0 opened
      0 says ["", REGISTER, 10, "rota=1", "w1"]
    0 hears ["", REGISTERED, 10, "expire=3", "w1"]
      0 is registered
    1 hears ["", <job 1>, "", "a"]
      1 begins <job 1> ["a"]
    1 hears ["", <job 2>, "", "b"]
      1 begins <job 2> ["b"]
    2 deregisters
      2 says ["", DEREGISTER, "w1"]
      2 says ["", PING, "w1"]
    3 hears ["", PONG]
      3 has left
    4 registers
      4 says ["", REGISTER, 10, "rota=1", "w1"]
    5 hears ["", REGISTERED, 10, "expire=3", "w1"]
      5 is registered
    6 hears ["", <job 3>, "", "c"]
      6 begins <job 3> ["c"]
    7 finishes 2
    8 finishes 1
      8 says ["", INCREMENT, "w1"]
  `,
);

transcript(
  "can leave before it is in",
  `
    0 opened
      0 says ["", REGISTER, 10, "rota=1", "w1"]
    1 deregisters
      1 says ["", DEREGISTER, "w1"]
      1 says ["", PING, "w1"]
    2 hears ["", REGISTERED, 10, "expire=3", "w1"]
    2 hears ["", <job 1>, "", "between the two"]
      2 begins <job 1> ["between the two"]
    3 hears ["", PONG]
      3 has left
  `,
);

transcript(
  "that is refused while it leaves has left",
  `
    0 opened
      0 says ["", REGISTER, 10, "rota=1", "w1"]
    1 deregisters
      1 says ["", DEREGISTER, "w1"]
      1 says ["", PING, "w1"]
    2 hears ["", REFUSED, "address-in-use", "w1"]
      2 is refused: address-in-use, for good
    3 hears ["", REFUSED, unknown, "w1"]
      3 has left
    4 hears ["", REFUSED, unknown, "w1"]
      4 is forgotten
    9999 passes
  `,
);

transcript(
  "has left when the connection is gone, and stays out when it is back",
  `
    0 opened
      0 says ["", REGISTER, 10, "rota=1", "w1"]
    0 hears ["", REGISTERED, 10, "expire=3", "w1"]
      0 is registered
    1 deregisters
      1 says ["", DEREGISTER, "w1"]
      1 says ["", PING, "w1"]
    2 closed
      2 is forgotten
      2 has left
    3 opened
    9999 passes
    9999 registers
      9999 says ["", REGISTER, 10, "rota=1", "w1"]
  `,
);

transcript(
  "misses a broker that is silent while it leaves",
  `
    0 opened
      0 says ["", REGISTER, 10, "rota=1", "w1"]
    0 hears ["", REGISTERED, 10, "expire=3", "w1"]
      0 is registered
    1 deregisters
      1 says ["", DEREGISTER, "w1"]
      1 says ["", PING, "w1"]
    3000 passes
      1001 says ["", PING, "w1"]
      2001 says ["", PING, "w1"]
      3000 misses the broker
      3000 is forgotten
      3000 has left
  `,
);

transcript(
  "that waits to be told says nothing before, not even PING",
  `
    0 opened
    9999 passes
    9999 deregisters
    10000 registers
      10000 says ["", REGISTER, 10, "rota=1", "w1"]
    10000 registers
    10000 hears ["", REGISTERED, 10, "expire=3", "w1"]
      10000 is registered
    10000 registers
    11000 passes
      11000 says ["", PING, "w1"]
  `,
  { manual: true },
);

transcript(
  "that is told before there is a connection registers as soon as there is one",
  `
    0 registers
    0 deregisters
    0 registers
    0 closed
    5 opened
      5 says ["", REGISTER, 10, "rota=1", "w1"]
  `,
  { manual: true },
);

transcript(
  "passes EXIT on in both dialects, registered or not",
  `
    0 opened
      0 says ["", REGISTER, 10, "rota=1", "w1"]
    1 hears ["", EXIT]
      1 is told to exit
    2 hears ["", REGISTERED, 10, "expire=3", "w1"]
      2 is registered
    3 hears ["", EXIT]
      3 is told to exit
  `,
);
