/**
 * A process of the comparison: zeromq.js in Node. `node node_peer.mjs FOLDER`, where FOLDER is
 * where `zeromq` was installed (tests/interop/install.ts).
 *
 * @module
 */

import { createRequire } from "node:module";
import { join } from "node:path";
import process from "node:process";
import { obey } from "../kit/obey.mjs";
import { roundTrips, serve, stream } from "./workloads.mjs";

const zeromq = createRequire(join(process.argv[2], "from_here.js"))("zeromq");

obey({
  serve: () => serve(zeromq),
  roundTrips: (work) => roundTrips(zeromq, work),
  stream: (work) => stream(zeromq, work),
});
