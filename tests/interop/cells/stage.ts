/**
 * What every cell needs: two sockets that face each other, and an exchange that proves they talk.
 *
 * @module
 */

import { assertEquals } from "@std/assert";
import { bytesOf, textOf } from "../actor.mjs";
import type { Direction, Pair } from "../matrix.ts";
import { type Options, type Side, TestSocket } from "../side.ts";

/** The identities where a pair needs them. */
export const FIRST_ID = "=the-first";
export const SECOND_ID = "=the-second";

/** One of the two parts of a pair. */
export type Part = "first" | "second";

/** The parts of one column of the matrix, and who plays them. */
export class Stage {
  readonly pair: Pair;
  readonly direction: Direction;
  readonly ours: Side;
  readonly theirs: Side;

  constructor(pair: Pair, direction: Direction, ours: Side, theirs: Side) {
    this.pair = pair;
    this.direction = direction;
    this.ours = ours;
    this.theirs = theirs;
  }

  /** Which part binds. */
  get binder(): Part {
    const { ours, binds } = this.direction;
    if (binds === "ours") return ours;
    return ours === "first" ? "second" : "first";
  }

  /** Who plays a part. */
  sideOf(part: Part): Side {
    return this.direction.ours === part ? this.ours : this.theirs;
  }

  /** A socket of a part, neither bound nor connected. Two ROUTERs get the identities they need. */
  async create(part: Part, options: Options = {}): Promise<TestSocket> {
    const { first, second } = this.pair;
    const needed = first !== "Router"
      ? {}
      : { mandatory: true, routingId: (part === "first" ? FIRST_ID : SECOND_ID).slice(1) };
    return await TestSocket.create(this.sideOf(part), part === "first" ? first : second, {
      ...needed,
      ...options,
    });
  }

  /** Both sockets, bound and connected. `via` may put something between them. */
  async open(
    options: { first?: Options; second?: Options; via?: (endpoint: string) => string } = {},
  ): Promise<Scene> {
    const sockets = {
      first: await this.create("first", options.first),
      second: await this.create("second", options.second),
    };
    const connector = this.binder === "first" ? "second" : "first";
    const endpoint = await sockets[this.binder].bind();
    await sockets[connector].connect(options.via?.(endpoint) ?? endpoint);
    return new Scene(sockets.first, sockets.second, endpoint);
  }

  /** What the first part puts before its body. */
  get head(): string[] {
    if (this.pair.first === "Router") return [SECOND_ID];
    return this.pair.first === "Dealer" && this.pair.second === "Reply" ? ["="] : [];
  }

  /** Sends a body to the second part and back, and compares both arrivals. */
  async exchange(first: TestSocket, second: TestSocket, body: readonly string[]): Promise<void> {
    const message = [...this.head, ...body];
    const sent = this.pair.first === "Router" ? first.sendWhenKnown(message) : first.send(message);
    const [, arrived] = await Promise.all([sent, second.echo()]);
    this.#checkArrival(arrived, body);
    assertEquals(await first.receive(), reported(message), "what came back");
  }

  #checkArrival(arrived: readonly string[], body: readonly string[]): void {
    const { first, second } = this.pair;
    const envelope = second !== "Router" ? 0 : first === "Request" ? 2 : 1;
    assertEquals(arrived.slice(envelope), reported(body), "what the second part received");
    if (first === "Request" && second === "Router") {
      assertEquals(arrived[1], "=", "the delimiter of a REQ");
    }
  }
}

/** Two sockets that face each other. */
export class Scene implements AsyncDisposable {
  readonly first: TestSocket;
  readonly second: TestSocket;
  /** Where the binder is. */
  readonly endpoint: string;

  constructor(first: TestSocket, second: TestSocket, endpoint: string) {
    this.first = first;
    this.second = second;
    this.endpoint = endpoint;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.first[Symbol.asyncDispose]();
    await this.second[Symbol.asyncDispose]();
  }
}

/** Frames as a receiver reports them. */
export function reported(frames: readonly string[]): string[] {
  return frames.map((frame) => textOf(bytesOf(frame)));
}

/** Asserts that an act fails with a code of ZeroMQ. */
export async function assertCode(act: Promise<unknown>, code: string): Promise<void> {
  const outcome = await act.then(() => "success", (error) => error.code ?? String(error));
  assertEquals(outcome, code);
}
