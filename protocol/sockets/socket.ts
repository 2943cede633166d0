/**
 * The face that all sockets share: the API of zeromq.js 6.
 *
 * @module
 */
import type { SocketType } from "../zmtp/socket_type.ts";
import type { SocketCore } from "./core.ts";
import type { Observer } from "./events.ts";
import type { Received } from "./frame.ts";
import { remember } from "./inspect.ts";
import { Iteration } from "./iteration.ts";
import { type Outgoing, toFrames } from "./message.ts";
import { OptionAccessors } from "./option_accessors.ts";

/**
 * What Router, Dealer, Request and Reply have in common. Not made by itself.
 *
 * Programs for zeromq.js 6 only change the import. What is different:
 *
 * - Only `tcp://` is spoken, without PLAIN, CURVE or GSSAPI, and their options are not there.
 * - There is no `Context`, no `Proxy`, no `bindSync` and `unbindSync`; of the options no
 *   `affinity`, `conflate`, `interface`, `loopbackFastPath`, `rate`, `recoveryInterval`,
 *   `securityMechanism`, `socksProxy`, `tcpAcceptFilter`, `tcpMaxRetransmitTimeout`, `threadSafe`,
 *   `typeOfService`, and none for multicast, VMCI or ZAP. As in zeromq.js, setting an option that
 *   is not there throws.
 * - `tcpKeepaliveCount`, `tcpKeepaliveIdle`, `tcpKeepaliveInterval`, `receiveBufferSize` and
 *   `sendBufferSize` throw if they are set: Deno's network can't set them.
 * - `type` is a name such as `"ROUTER"`, not a number.
 * - Received frames are `Frame`s, octets with `toString()`, and not `Buffer`s.
 * - `send` and `receive` may be called again before the last call is through; up to the high-water
 *   mark they wait in order. zeromq.js fails with EBUSY.
 * - With heartbeats on, a peer that takes none of our output and says nothing for 30 s is closed.
 * - A message has at most 64 MiB and 1,024 frames, or its sender is closed.
 * - An open socket doesn't close itself when nobody holds it any more.
 *
 * @example
 * ```ts
 * import { Dealer, type Socket } from "../mod.ts";
 *
 * const socket: Socket = new Dealer();
 * socket.close();
 * if (!socket.closed) throw new Error("still open");
 * ```
 */
export abstract class Socket<M extends Received = Received> extends OptionAccessors
  implements AsyncIterable<M>, AsyncDisposable {
  readonly #core: SocketCore;

  /** Takes the inside that a socket type has made. */
  constructor(core: SocketCore) {
    super(core);
    this.#core = core;
    remember(this, core);
  }

  /** The socket type as the handshake names it, such as `"ROUTER"`. */
  get type(): SocketType {
    return this.#core.type;
  }

  /** Whether `close()` was called. */
  get closed(): boolean {
    return this.#core.closed;
  }

  /** The endpoint bound or connected last, with its real port; null if there is none. */
  get lastEndpoint(): string | null {
    return this.#core.lastEndpoint;
  }

  /** What happens to endpoints and peers. */
  get events(): Observer {
    this.#core.observed.watch();
    return this.#core.events;
  }

  /** Whether a message waits to be received. */
  get readable(): boolean {
    return !this.#core.closed && !this.#core.queue.empty;
  }

  /** Whether a send would go out without waiting. */
  get writable(): boolean {
    return !this.#core.closed && this.#core.pattern.writable();
  }

  /** Listens at an endpoint such as `tcp://127.0.0.1:5555` or `tcp://127.0.0.1:*`. */
  bind(endpoint: string): Promise<void> {
    return this.#core.bind(endpoint);
  }

  /** Listens there no more; peers that came in by it stay. */
  unbind(endpoint: string): Promise<void> {
    return this.#core.unbind(endpoint);
  }

  /** Connects to an endpoint, now and again whenever the connection is lost. */
  connect(endpoint: string): void {
    this.#core.connect(endpoint);
  }

  /** Gives an endpoint up, with what waits for it. */
  disconnect(endpoint: string): void {
    this.#core.disconnect(endpoint);
  }

  /**
   * Sends a message; resolves once it is queued for a peer. Where a megabyte waits for that peer, a
   * Dealer's send resolves when some of it is written, a millisecond later at most.
   */
  send(message: Outgoing): Promise<void> {
    let frames: Uint8Array[];
    try {
      frames = toFrames(message);
    } catch (error) {
      return Promise.reject(error);
    }
    return this.#core.send(frames);
  }

  /** The next message, as frames that belong to the caller. */
  receive(): Promise<M> {
    return this.#core.receive() as Promise<M>;
  }

  /** Closes at once; what waits is still sent in the background, as `linger` says. */
  close(): void {
    this.#core.close(false);
  }

  /** Messages until the socket is closed. */
  [Symbol.asyncIterator](): AsyncIterableIterator<M, void, undefined> {
    return new Iteration(this.#core);
  }

  /**
   * Closes and waits until what is queued is sent (at most `linger`). What waits for an endpoint
   * that nobody answers at is given up: one that isn't connected, and whose connection isn't being
   * made at the moment or doesn't come about.
   */
  async [Symbol.asyncDispose](): Promise<void> {
    await this.#core.close(true);
  }
}
