/**
 * Whose connection is whose: the broker knows connections, a simulation knows processes. Told by the
 * port that a connection comes from.
 *
 * @module
 */
import type { Client } from "../../broker/core/client.ts";
import type { Outlet } from "../../broker/core/outlet.ts";
import type { Worker } from "../../broker/core/worker.ts";
import { Peer } from "../../protocol/engine/peer.ts";
import type { MemoryNetwork } from "../../protocol/io/memory_io.ts";

/** Processes by connection. */
export class Hosts {
  readonly #network: MemoryNetwork;
  readonly #names: WeakMap<Outlet, string> = new WeakMap();

  constructor(network: MemoryNetwork) {
    this.#network = network;
  }

  /** The process of a worker. */
  ofWorker({ connection }: Worker): string {
    return this.of(connection.outlet) ?? "nobody";
  }

  /** The process of a client; undefined if it is away. */
  ofClient({ outlet }: Client): string | undefined {
    return this.of(outlet);
  }

  /** The process at the other end of a connection. */
  of(outlet: Outlet): string | undefined {
    const known = this.#names.get(outlet);
    if (known !== undefined || !(outlet instanceof Peer)) return known;
    const port = Number(outlet.link?.remote.split(":").at(-1));
    const link = this.#network.connections.find(({ from }) => from.address.port === port);
    if (link === undefined) return undefined;
    this.#names.set(outlet, link.from.host);
    return link.from.host;
  }
}
