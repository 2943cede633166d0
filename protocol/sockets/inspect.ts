/**
 * A look inside a socket: memory, counters and settings, for tests and tools of our own. Not part
 * of what `mod.ts` exports, and free to change.
 *
 * @module
 */
import type { Budget } from "../engine/budget.ts";
import type { Peer } from "../engine/peer.ts";
import type { EngineSettings } from "../engine/settings.ts";
import type { SocketCore } from "./core.ts";
import type { Socket } from "./socket.ts";

/** What of a socket's inside may be looked at. */
export interface Inside {
  /** The memory of all peers; its `limit` may be set. */
  readonly budget: Budget;
  /** How often each fault and each ignored thing was seen. */
  readonly counters: ReadonlyMap<string, number>;
  /** What the engine goes by; a change holds from now on, except for `limits`. */
  readonly settings: EngineSettings;
  /** Peers by id; undefined where one has left. */
  readonly peers: readonly (Peer | undefined)[];
  /** How many deadlines stand: of connections, and of endpoints that wait to be dialled. */
  readonly deadlines: { readonly size: number };
}

const cores: WeakMap<Socket, SocketCore> = new WeakMap();

/** A socket says which inside is its own. */
export function remember(socket: Socket, core: SocketCore): void {
  cores.set(socket, core);
}

/** Looks inside a socket. */
export function inspect(socket: Socket): Inside {
  const core = cores.get(socket);
  if (core === undefined) throw new TypeError("Cannot inspect: no socket");
  const { budget, engine } = core;
  const { counters, settings, peers, deadlines } = engine;
  return { budget, counters, settings, peers, deadlines };
}
