/**
 * The world in memory: the twin of the Deno one, with the same promises, a seed, a clock of its own
 * and faults on demand. Needs no permission; touches nothing outside.
 *
 * @module
 */
import { SocketError } from "../errors.ts";
import { formatEndpoint, parseEndpoint } from "./endpoint.ts";
import type { Io, IoAddress, IoConnection, IoListener, TimerId } from "./io.ts";
import { MemoryLink, networkError } from "./memory_link.ts";
import { MemoryListener } from "./memory_listener.ts";
import { SeededRandom } from "./random.ts";
import { GlobalClock, type MemoryClock, SimulatedClock } from "./simulated_clock.ts";

/** Like a TCP window. */
const DEFAULT_WINDOW = 65536;
/** Free ports are counted up from here, as systems do. */
const FIRST_FREE_PORT = 49152;
/** Ports of connecting sides: above all real ones, so that they never meet a listener's. */
const FIRST_LOCAL_PORT = 100_000;

/**
 * How a network in memory behaves.
 *
 * @example
 * ```ts
 * import { MemoryNetwork, type MemoryNetworkOptions } from "./memory_io.ts";
 *
 * const options: MemoryNetworkOptions = { latency: 5, seed: 7 };
 * if (new MemoryNetwork(options).now !== 0) throw new Error("time has passed");
 * ```
 */
export interface MemoryNetworkOptions {
  /** Decides everything random. 1 unless told. */
  readonly seed?: number;
  /** A clock that `advance()` moves, or `Date.now` and the global timers. "simulated" unless told. */
  readonly clock?: "simulated" | "global";
  /** Milliseconds for a connect and for each delivery. 0, within the same instant, unless told. */
  readonly latency?: number;
  /** Up to so many milliseconds more for each delivery, by chance. 0 unless told. */
  readonly jitter?: number;
  /** Octets that may be under way or unread in one direction. 65,536 unless told. */
  readonly window?: number;
}

/**
 * A network in memory. Each host on it has an `Io`; all share the ports, the clock and the seed.
 *
 * @example
 * ```ts
 * import { MemoryNetwork } from "./memory_io.ts";
 *
 * const network = new MemoryNetwork({ seed: 7, latency: 5 });
 * const listener = await network.io("broker").listen(
 *   { hostname: "0.0.0.0", port: 5555 },
 *   100,
 * );
 * const accepted = listener.accept();
 * const connected = network.io("worker").connect(
 *   { hostname: "127.0.0.1", port: 5555 },
 *   new AbortController().signal,
 * );
 * await network.advance(5);
 * await Promise.all([accepted, connected]);
 * network.cut("worker", "broker");
 * await network.settle();
 * if (network.connections.length !== 0) throw new Error("not cut");
 * ```
 */
export class MemoryNetwork {
  readonly #clock: MemoryClock;
  readonly #random: SeededRandom;
  readonly #options: Required<MemoryNetworkOptions>;
  readonly #hosts = new Map<string, Io>();
  readonly #listeners = new Set<MemoryListener>();
  readonly #links = new Set<MemoryLink>();
  readonly #refused = new Set<number>();
  #freePort = FIRST_FREE_PORT;
  #localPort = FIRST_LOCAL_PORT;

  /** Makes a network with nobody on it. */
  constructor(options: MemoryNetworkOptions = {}) {
    this.#options = {
      seed: 1,
      clock: "simulated",
      latency: 0,
      jitter: 0,
      window: DEFAULT_WINDOW,
      ...options,
    };
    this.#random = new SeededRandom(this.#options.seed);
    this.#clock = this.#options.clock === "global" ? new GlobalClock() : new SimulatedClock();
  }

  /** The time, in milliseconds. */
  get now(): number {
    return this.#clock.now();
  }

  /** The live connections, the oldest first. */
  get connections(): readonly MemoryLink[] {
    return [...this.#links];
  }

  /** A number from 0 up to, not including, 1, from the network's seed. */
  random(): number {
    return this.#random.next();
  }

  /** The world as one host sees it; the same one for the same name. */
  io(host = "host"): Io {
    let io = this.#hosts.get(host);
    if (io === undefined) {
      io = this.#makeIo(host);
      this.#hosts.set(host, io);
    }
    return io;
  }

  /** Moves time on: timers and deliveries run in the order of their time. */
  advance(milliseconds: number): Promise<void> {
    return this.#clock.advance(milliseconds);
  }

  /** Runs everything that is due now, until nothing more happens. */
  settle(): Promise<void> {
    return this.#clock.settle();
  }

  /** The connections of a host, or between two, or all of them. */
  between(a?: string, b?: string): readonly MemoryLink[] {
    return this.connections.filter(({ from, to }) =>
      (matches(a, from.host) && matches(b, to.host)) ||
      (matches(a, to.host) && matches(b, from.host))
    );
  }

  /** Resets the connections of a host, or between two, or all of them; says how many. */
  cut(a?: string, b?: string): number {
    const links = this.between(a, b);
    for (const link of links) link.cut();
    return links.length;
  }

  /** Refuses new connections to a port or an endpoint, until told otherwise. */
  refuse(target: number | string, on = true): void {
    const port = typeof target === "number" ? target : parseEndpoint(target, "connect").port;
    if (on) this.#refused.add(port);
    else this.#refused.delete(port);
  }

  #makeIo(host: string): Io {
    const clock = this.#clock;
    return {
      listen: (address, backlog) => this.#listen(host, address, backlog),
      connect: (address, signal) => this.#connect(host, address, signal),
      now: () => clock.now(),
      setTimer: (callback: () => void, milliseconds: number): TimerId =>
        clock.setTimer(callback, milliseconds),
      clearTimer: (id) => clock.clearTimer(id),
      random: () => this.random(),
    };
  }

  // The type asks for a promise, and a throw must be a rejection.
  // deno-lint-ignore require-await
  async #listen(
    host: string,
    wanted: IoAddress,
    backlog: number,
  ): Promise<IoListener> {
    const { hostname } = wanted;
    const address = { hostname, port: wanted.port || this.#pickPort(hostname) };
    if (this.#isTaken(address)) {
      throw new SocketError(
        "EADDRINUSE",
        `Cannot bind ${formatEndpoint(address)}: the port is in use`,
      );
    }
    const listener = new MemoryListener(
      address,
      host,
      backlog,
      (closed) => this.#listeners.delete(closed),
    );
    this.#listeners.add(listener);
    return listener;
  }

  async #connect(
    host: string,
    address: IoAddress,
    signal: AbortSignal,
  ): Promise<IoConnection> {
    signal.throwIfAborted();
    await this.#pass(this.#options.latency, signal);
    signal.throwIfAborted();
    const listener = this.#findListener(address);
    if (listener === undefined || listener.full) {
      throw networkError(
        "ECONNREFUSED",
        `Cannot connect to ${formatEndpoint(address)}: connection refused`,
      );
    }
    const { hostname } = address;
    const { latency, jitter, window } = this.#options;
    const link = new MemoryLink(
      { host, address: { hostname, port: this.#localPort++ } },
      { host: listener.host, address: { hostname, port: address.port } },
      {
        clock: this.#clock,
        window,
        latency,
        jitter,
        random: () => this.random(),
        onGone: (gone) => this.#links.delete(gone),
      },
    );
    this.#links.add(link);
    listener.offer(link);
    return link.fromEnd;
  }

  /** Lets time pass; aborting ends it early with the signal's reason. */
  #pass(milliseconds: number, signal: AbortSignal): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const clock = this.#clock;
    let timer: TimerId | undefined;
    const onAbort = () => {
      if (timer !== undefined) clock.clearTimer(timer);
      reject(signal.reason);
    };
    const onPassed = () => {
      signal.removeEventListener("abort", onAbort);
      resolve();
    };
    signal.addEventListener("abort", onAbort, { once: true });
    if (milliseconds > 0) timer = clock.setTimer(onPassed, milliseconds);
    else clock.soon(onPassed);
    return promise;
  }

  #findListener(address: IoAddress): MemoryListener | undefined {
    if (this.#refused.has(address.port)) return undefined;
    for (const listener of this.#listeners) {
      if (
        listener.address.port === address.port &&
        listener.answersTo(address.hostname)
      ) return listener;
    }
    return undefined;
  }

  #isTaken(address: IoAddress): boolean {
    for (const listener of this.#listeners) {
      if (listener.occupies(address)) return true;
    }
    return false;
  }

  #pickPort(hostname: string): number {
    let port = this.#freePort++;
    while (this.#isTaken({ hostname, port })) port = this.#freePort++;
    return port;
  }
}

function matches(wanted: string | undefined, host: string): boolean {
  return wanted === undefined || wanted === host;
}
