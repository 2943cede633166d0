/**
 * A process of the comparison: Rota's sockets in Deno, through what `mod.ts` exports.
 *
 * @module
 */
import * as rota from "../../protocol/mod.ts";
import { obey } from "../kit/obey.mjs";
import { roundTrips, serve, stream } from "./workloads.mjs";

obey({
  serve: () => serve(rota),
  roundTrips: (work) => roundTrips(rota, work),
  stream: (work) => stream(rota, work),
});
