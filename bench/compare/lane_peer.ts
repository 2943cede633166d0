/**
 * A process of the comparison: the engine under Rota's sockets, with no socket on it. What is left
 * when there is no queue and no promise: an upper bound for the sockets.
 *
 * @module
 */
import { laneWorkloads } from "./lane_workloads.ts";
import { obey } from "../kit/obey.mjs";

obey({ ...laneWorkloads });
