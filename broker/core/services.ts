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
  /** Workers that serve it, busy ones included. */
  workers = 0;
  #users = 0;
  /** Services that may be forgotten; the default one never is. */
  readonly #idle: Set<Service> | undefined;

  constructor(index: number, name: Uint8Array, idle?: Set<Service>) {
    this.index = index;
    this.name = name;
    this.#idle = idle;
    idle?.add(this);
  }

  /** Jobs and workers that name it, wherever they are: while there are any it isn't forgotten. */
  get users(): number {
    return this.#users;
  }

  set users(count: number) {
    if (count < 0) throw new Error("Cannot leave a service: nobody uses it");
    if (count === 0) this.#idle?.add(this);
    else if (this.#users === 0) this.#idle?.delete(this);
    this.#users = count;
  }
}

/** All services, by index and by name. */
export class Services {
  readonly main: Service;
  readonly #list: (Service | undefined)[] = [];
  readonly #byName: Map<string, Service> = new Map();
  /** Those that nobody uses, the one that is so for longest first. */
  readonly #idle: Set<Service> = new Set();
  readonly #freeIndexes: number[] = [];
  readonly #most: number;

  constructor(most: number) {
    this.#most = Math.min(most, 65_535);
    this.main = this.#add(DEFAULT_SERVICE, keyOf(DEFAULT_SERVICE), undefined);
  }

  /** The service of an index that a job holds. */
  at(index: number): Service {
    return this.#list[index]!;
  }

  /**
   * The service of that name, made if it is new; undefined if there are too many. Until it has a
   * user, asking for another one may forget it.
   */
  named(name: Uint8Array): Service | undefined {
    const key = keyOf(name);
    const known = this.#byName.get(key);
    if (known !== undefined) return known;
    if (this.#byName.size >= this.#most && !this.#forgetOne()) return undefined;
    return this.#add(name.slice(), key, this.#idle);
  }

  /** The services of all these names, each once; undefined if there are too many. */
  allNamed(names: readonly Uint8Array[]): Service[] | undefined {
    const found: Service[] = [];
    let tooMany = false;
    for (const name of names) {
      const service = this.named(name);
      tooMany = service === undefined;
      if (service === undefined) break;
      if (found.includes(service)) continue;
      found.push(service);
      // The next name must not push it out.
      service.users++;
    }
    for (const service of found) service.users--;
    return tooMany ? undefined : found;
  }

  /** All services. */
  *[Symbol.iterator](): Generator<Service, void, undefined> {
    for (const service of this.#list) if (service !== undefined) yield service;
  }

  #add(name: Uint8Array, key: string, idle: Set<Service> | undefined): Service {
    const index = this.#freeIndexes.pop() ?? this.#list.length;
    const service = new Service(index, name, idle);
    this.#list[index] = service;
    this.#byName.set(key, service);
    return service;
  }

  /** Forgets a service that nobody uses, so that names which came once don't fill the table. */
  #forgetOne(): boolean {
    for (const service of this.#idle) {
      this.#idle.delete(service);
      this.#list[service.index] = undefined;
      this.#freeIndexes.push(service.index);
      this.#byName.delete(keyOf(service.name));
      return true;
    }
    return false;
  }
}
