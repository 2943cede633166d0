/**
 * Services: a name, the ring of the workers that serve it, and the jobs that wait for it.
 *
 * @module
 */
import { keyOf, octets } from "../../protocol/dialogue/words.ts";
import { type RowList, rowList } from "./jobs.ts";
import { Ring } from "./ring.ts";
import type { WorkerSeat } from "./worker.ts";

/** The service of opaque clients, READY workers, and all who name none. */
export const DEFAULT_SERVICE: Uint8Array = octets("default");

/** One service. */
export class Service {
  readonly index: number;
  readonly name: Uint8Array;
  /** The worker table. */
  readonly ring: Ring<WorkerSeat> = new Ring();
  /** The backlog, oldest first. */
  readonly backlog: RowList = rowList();
  /** Jobs and workers that name it, wherever they are: it must not be forgotten. */
  users = 0;
  /** Workers that serve it, busy ones included. */
  workers = 0;

  constructor(index: number, name: Uint8Array) {
    this.index = index;
    this.name = name;
  }
}

/** All services, by index and by name. */
export class Services {
  readonly main: Service;
  readonly #list: (Service | undefined)[] = [];
  readonly #byName: Map<string, Service> = new Map();
  readonly #most: number;

  constructor(most: number) {
    this.#most = Math.min(most, 65_535);
    this.main = this.#add(DEFAULT_SERVICE, keyOf(DEFAULT_SERVICE));
  }

  /** The service of an index that a job holds. */
  at(index: number): Service {
    return this.#list[index]!;
  }

  /** The service of that name, made if it is new; undefined if there are too many. */
  named(name: Uint8Array): Service | undefined {
    const key = keyOf(name);
    const known = this.#byName.get(key);
    if (known !== undefined) return known;
    if (this.#byName.size >= this.#most) this.#sweep();
    if (this.#byName.size >= this.#most) return undefined;
    return this.#add(name.slice(), key);
  }

  /** All services. */
  *[Symbol.iterator](): Generator<Service, void, undefined> {
    for (const service of this.#list) if (service !== undefined) yield service;
  }

  #add(name: Uint8Array, key: string): Service {
    let index = this.#list.indexOf(undefined);
    if (index < 0) index = this.#list.length;
    const service = new Service(index, name);
    this.#list[index] = service;
    this.#byName.set(key, service);
    return service;
  }

  /** Forgets services that nobody needs, so that names which were used once don't fill the table. */
  #sweep(): void {
    for (const service of this) {
      if (service === this.main || service.users > 0) continue;
      this.#list[service.index] = undefined;
      this.#byName.delete(keyOf(service.name));
    }
  }
}
