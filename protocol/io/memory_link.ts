/**
 * A connection in memory: two ends, a pipe each way, and the verbs that break it.
 *
 * @module
 */
import type { IoAddress, IoConnection, IoSink } from "./io.ts";
import { type Allowance, MemoryPipe } from "./memory_pipe.ts";
import type { MemoryClock } from "./simulated_clock.ts";

/**
 * A direction as the side that connected sees it.
 *
 * @example
 * ```ts
 * import type { Direction } from "./memory_link.ts";
 *
 * const ways: Direction[] = ["out", "in", "both"];
 * if (ways.length !== 3) throw new Error("changed");
 * ```
 */
export type Direction = "out" | "in" | "both";

/** What a connection in memory needs. */
export interface LinkSettings {
  /** Tells the time and calls back. */
  readonly clock: MemoryClock;
  /** Octets that may be under way or unread in each direction. */
  readonly window: number;
  /** Milliseconds for each delivery, at first. */
  readonly latency: number;
  /** Up to so many milliseconds more, by chance. */
  readonly jitter: number;
  /** Decides the jitter: a number from 0 up to, not including, 1. */
  readonly random: () => number;
  /** Called once when both sides are done with it. */
  readonly onGone: (link: MemoryLink) => void;
}

/**
 * Who is at a side of a connection.
 *
 * @example
 * ```ts
 * import { MemoryNetwork } from "./memory_io.ts";
 *
 * const network = new MemoryNetwork();
 * const listener = await network.io("a").listen({ hostname: "127.0.0.1", port: 5555 }, 1);
 * const never = new AbortController().signal;
 * await network.io("b").connect(listener.address, never);
 * import type { LinkSide } from "./memory_link.ts";
 *
 * const from: LinkSide = network.connections[0]!.from;
 * if (from.host !== "b") throw new Error("who is that?");
 * ```
 */
export interface LinkSide {
  /** The name of the host, as given to `MemoryNetwork.io()`. */
  readonly host: string;
  /** Its address on this connection. */
  readonly address: IoAddress;
}

/** An error as a network gives it: with a code, and no fault of ours. */
export function networkError(code: string, message: string): Error {
  return Object.assign(new Error(message), { code });
}

/**
 * A connection in memory, as a test sees it: who is connected, and verbs for what goes wrong.
 *
 * @example
 * ```ts
 * import { MemoryNetwork } from "./memory_io.ts";
 *
 * const network = new MemoryNetwork();
 * const listener = await network.io("a").listen({ hostname: "127.0.0.1", port: 5555 }, 1);
 * const never = new AbortController().signal;
 * await network.io("b").connect(listener.address, never);
 * const [link] = network.connections;
 * link!.cut();
 * await network.settle();
 * if (network.connections.length !== 0) throw new Error("not cut");
 * ```
 */
export class MemoryLink {
  /** The side that connected. */
  readonly from: LinkSide;
  /** The side that listened. */
  readonly to: LinkSide;
  /** What the connecting side holds. */
  readonly fromEnd: MemoryEnd;
  /** What the listening side gets from `accept()`. */
  readonly toEnd: MemoryEnd;
  readonly #out: MemoryPipe;
  readonly #in: MemoryPipe;
  readonly #settings: LinkSettings;
  #latencyOut: number;
  #latencyIn: number;
  #endsLeft = 2;

  /** Joins two sides. */
  constructor(from: LinkSide, to: LinkSide, settings: LinkSettings) {
    this.from = from;
    this.to = to;
    this.#settings = settings;
    this.#latencyOut = this.#latencyIn = settings.latency;
    this.#out = this.#pipe(
      () => this.#latencyOut,
      () => this.fromEnd,
      () => this.toEnd,
    );
    this.#in = this.#pipe(
      () => this.#latencyIn,
      () => this.toEnd,
      () => this.fromEnd,
    );
    const onOver = () => this.#onOver();
    const { clock } = settings;
    this.fromEnd = new MemoryEnd(from, to, this.#in, this.#out, clock, onOver);
    this.toEnd = new MemoryEnd(to, from, this.#out, this.#in, clock, onOver);
  }

  /** Octets taken from a side and not yet read by the other. */
  held(direction: Direction = "both"): number {
    return this.#pipes(direction).reduce((sum, pipe) => sum + pipe.held, 0);
  }

  /** Resets it: both sides fail, and what was under way is lost. */
  cut(): void {
    const error = () => networkError("ECONNRESET", "Connection reset by peer");
    this.fromEnd.fail(error());
    this.toEnd.fail(error());
    this.#out.destroy();
    this.#in.destroy();
  }

  /** Both sides believe that it lives, and nothing arrives any more, not even the end. */
  halfOpen(): void {
    this.#out.leak();
    this.#in.leak();
  }

  /** Sets how long deliveries take from now on. */
  delay(milliseconds: number, direction: Direction = "both"): void {
    if (direction !== "in") this.#latencyOut = milliseconds;
    if (direction !== "out") this.#latencyIn = milliseconds;
  }

  /** Hands nothing over until released, so that the window fills. */
  stall(direction: Direction = "both", on = true): void {
    for (const pipe of this.#pipes(direction)) pipe.stall(on);
  }

  /** Cuts it once so many more octets have been read. */
  dropAfter(octets: number, direction: Direction = "both"): void {
    if (octets <= 0) return this.cut();
    const allowance: Allowance = { left: octets, onSpent: () => this.cut() };
    for (const pipe of this.#pipes(direction)) pipe.limit(allowance);
  }

  #pipes(direction: Direction): MemoryPipe[] {
    if (direction === "both") return [this.#out, this.#in];
    return [direction === "out" ? this.#out : this.#in];
  }

  #pipe(
    latency: () => number,
    writer: () => MemoryEnd,
    reader: () => MemoryEnd,
  ): MemoryPipe {
    const { clock, window, jitter, random } = this.#settings;
    return new MemoryPipe({
      clock,
      window,
      latency: () => latency() + (jitter > 0 ? random() * jitter : 0),
      events: {
        onRead: (count) => reader().onRead(count),
        onWritten: (count) => writer().onWritten(count),
        onBroken: () => writer().fail(networkError("EPIPE", "Broken pipe")),
      },
    });
  }

  #onOver(): void {
    if (--this.#endsLeft === 0) this.#settings.onGone(this);
  }
}

/**
 * One side's hold on a connection in memory.
 *
 * @example
 * ```ts
 * import { MemoryNetwork } from "./memory_io.ts";
 *
 * const network = new MemoryNetwork();
 * const listener = await network.io("a").listen({ hostname: "127.0.0.1", port: 5555 }, 1);
 * const never = new AbortController().signal;
 * await network.io("b").connect(listener.address, never);
 * const end = network.connections[0]!.fromEnd;
 * end.close();
 * if (end.remote.port !== 5555) throw new Error("where to?");
 * ```
 */
export class MemoryEnd implements IoConnection {
  /** Our address. */
  readonly local: IoAddress;
  /** The peer's address. */
  readonly remote: IoAddress;
  readonly #incoming: MemoryPipe;
  readonly #outgoing: MemoryPipe;
  readonly #clock: MemoryClock;
  readonly #onOver: () => void;
  #sink: IoSink | undefined;
  /** Closed or failed: reads and writes do nothing. */
  #over = false;
  /** What the sink must still be told. */
  #failure: Error | undefined;

  /** Made by a link. */
  constructor(
    local: LinkSide,
    remote: LinkSide,
    incoming: MemoryPipe,
    outgoing: MemoryPipe,
    clock: MemoryClock,
    onOver: () => void,
  ) {
    this.local = local.address;
    this.remote = remote.address;
    this.#incoming = incoming;
    this.#outgoing = outgoing;
    this.#clock = clock;
    this.#onOver = onOver;
  }

  /** Says who is told. A failure that came earlier is told then. */
  attach(sink: IoSink): void {
    if (this.#sink !== undefined) {
      throw new Error("Cannot attach: the connection has a sink");
    }
    this.#sink = sink;
    if (this.#failure !== undefined) this.#clock.soon(this.#tellFailure);
  }

  /** Asks for octets. */
  read(into: Uint8Array): void {
    if (!this.#over) this.#incoming.read(into);
  }

  /** Asks to send octets. */
  write(bytes: Uint8Array): void {
    if (!this.#over) this.#outgoing.write(bytes);
  }

  /** Sends no more. */
  closeWrite(): void {
    if (!this.#over) this.#outgoing.finish();
  }

  /** Nothing: in memory no idle connection is lost unseen. */
  setKeepAlive(_on: boolean): void {}

  /** Ends it. */
  close(): void {
    this.#failure = undefined;
    this.#end();
  }

  /** Fails, unless it is over; the sink is told soon. */
  fail(error: Error): void {
    if (this.#over) return;
    this.#end();
    this.#failure = error;
    if (this.#sink !== undefined) this.#clock.soon(this.#tellFailure);
  }

  /** The pending read is done. */
  onRead(count: number): void {
    if (this.#over) return;
    try {
      this.#sink!.onRead(count);
    } catch (error) {
      this.#onThrow(error);
    }
  }

  /** The pending write is done. */
  onWritten(count: number): void {
    if (this.#over) return;
    try {
      this.#sink!.onWritten(count);
    } catch (error) {
      this.#onThrow(error);
    }
  }

  #end(): void {
    if (this.#over) return;
    this.#over = true;
    this.#outgoing.dropWriter();
    this.#incoming.dropReader();
    this.#onOver();
  }

  readonly #tellFailure = (): void => {
    const error = this.#failure;
    if (error === undefined) return;
    this.#failure = undefined;
    try {
      this.#sink!.onFailed(error);
    } catch (thrown) {
      reportError(thrown);
    }
  };

  /** A sink that throws loses this connection and no other. What nobody can be told is reported. */
  #onThrow(error: unknown): void {
    if (this.#over) reportError(error);
    else this.fail(error instanceof Error ? error : new Error(String(error)));
  }
}
