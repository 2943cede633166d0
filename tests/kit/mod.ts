/**
 * For tests of projects that use Rota: broker, workers and clients in one process, with no permission
 * and under fake time.
 *
 * @example
 * ```ts
 * import { TestCluster } from "./mod.ts";
 *
 * await using cluster = await TestCluster.start();
 * await cluster.worker({ handlers: { double: (job) => 2 * job.json() } });
 * const result = await cluster.client().call("double", 21);
 * if (result.json() !== 42) throw new Error("wrong");
 * ```
 *
 * @module
 */
export { TestCluster, type TestClusterOptions } from "./test_cluster.ts";
export { MemoryNetwork, type MemoryNetworkOptions } from "../../protocol/io/memory_io.ts";
export type { Direction, LinkSide, MemoryEnd, MemoryLink } from "../../protocol/io/memory_link.ts";
export type {
  Io,
  IoAddress,
  IoConnection,
  IoListener,
  IoSink,
  TimerId,
} from "../../protocol/io/io.ts";
