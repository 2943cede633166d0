/**
 * A look inside a broker: its core, its engines and the memory of all peers, for tests and tools of
 * our own. Not part of what `mod.ts` exports, and free to change.
 *
 * @module
 */
import type { Budget } from "../protocol/engine/budget.ts";
import type { Engine } from "../protocol/engine/engine.ts";
import type { Broker } from "./broker.ts";
import type { Core } from "./core/core.ts";

/** What of a broker's inside may be looked at. */
export interface BrokerInside {
  readonly core: Core;
  /** The port of the clients. */
  readonly front: Engine;
  /** The port of the workers. */
  readonly back: Engine;
  /** The memory of all peers of both ports. */
  readonly budget: Budget;
}

const insides: WeakMap<Broker, BrokerInside> = new WeakMap();

/** A broker says which inside is its own. */
export function remember(broker: Broker, inside: BrokerInside): void {
  insides.set(broker, inside);
}

/** Looks inside a broker. */
export function inspect(broker: Broker): BrokerInside {
  const inside = insides.get(broker);
  if (inside === undefined) throw new TypeError("Cannot inspect: no broker");
  return inside;
}
