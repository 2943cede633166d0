/**
 * ROUTER: addresses each peer by its identity, the first frame of every message (RFC 28).
 *
 * @module
 */
import { ArgumentError, SocketError } from "../errors.ts";
import type { MessageView } from "../zmtp/message_reader.ts";
import { AddressBook, keyOf, numberedAddress } from "./address_book.ts";
import { type Pattern, SocketCore } from "./core.ts";
import type { Pipe } from "./fair_queue.ts";
import type { Frame } from "./frame.ts";
import { checkRoutingId, type RouterOptions } from "./options.ts";
import { Socket } from "./socket.ts";

/** Routes by identity. */
class RouterPattern implements Pattern {
  readonly #core: SocketCore;
  readonly #pipes: AddressBook = new AddressBook();
  #auto: number;

  constructor(core: SocketCore) {
    this.#core = core;
    this.#auto = Math.floor(core.io.random() * 2 ** 32);
  }

  /** Throws if a peer has that name. */
  refuseTaken(identity: Uint8Array): void {
    if (this.#pipes.get(identity) === undefined) return;
    throw new ArgumentError(
      "EINVAL",
      "Cannot connect: a peer with that routingId is there already",
    );
  }

  /** Gives a pipe that is not yet connected the name it was promised. */
  name(pipe: Pipe, identity: Uint8Array): void {
    pipe.address = pipe.peer.identity = identity;
    this.#pipes.set(identity, pipe);
  }

  connected(_pipe: Pipe): void {}

  opened(pipe: Pipe): boolean {
    if (pipe.address !== undefined) return true;
    const claimed = pipe.peer.link!.connection.peerIdentity;
    const address = claimed.length > 0 ? claimed : this.#newAddress();
    const holder = this.#pipes.get(address);
    if (holder !== undefined && holder !== pipe) {
      // Libzmq's rule: the one who is there stays, unless the socket says otherwise.
      if (!this.#core.options.handover) return false;
      this.#pipes.delete(address);
      holder.address = undefined;
      this.#core.engine.drop(holder.peer);
    }
    pipe.address = pipe.peer.identity = address;
    this.#pipes.set(address, pipe);
    return true;
  }

  left(pipe: Pipe): void {
    if (pipe.address !== undefined) this.#pipes.delete(pipe.address);
  }

  arrived(pipe: Pipe, message: MessageView): void {
    this.#core.deliver(pipe, this.#core.maker.make(message, 0, pipe.address!));
  }

  trySend(frames: Uint8Array[]): boolean {
    const pipe = this.#pipes.get(frames[0]!);
    const { mandatory } = this.#core.options;
    if (pipe === undefined) {
      if (mandatory) {
        throw new SocketError("EHOSTUNREACH", "Cannot send: no such peer");
      }
      this.#core.engine.count("no-peer");
      return true;
    }
    if (frames.length === 1) return true;
    if (pipe.peer.full) {
      if (!mandatory) this.#core.engine.count("no-room");
      return !mandatory;
    }
    const batch = pipe.peer.batch();
    const last = frames.length - 1;
    for (let i = 1; i <= last; i++) {
      const frame = frames[i]!;
      batch.frame(i < last ? 1 : 0, frame, 0, frame.length);
    }
    batch.messages++;
    return true;
  }

  wayOf(frames: Uint8Array[]): string {
    return keyOf(frames[0]!);
  }

  writable(): boolean {
    return true;
  }

  beforeReceive(): void {}

  afterReceive(frames: Frame[]): Frame[] {
    return frames;
  }

  /** Zero and four octets, counting up from a random start, never one in use. */
  #newAddress(): Uint8Array {
    for (;;) {
      this.#auto = (this.#auto + 1) >>> 0;
      const address = numberedAddress(this.#auto);
      if (this.#pipes.get(address) === undefined) return address;
    }
  }
}

/**
 * What a Router receives: whom it is from, then the message's frames, at least one.
 *
 * @example
 * ```ts
 * import { type Addressed, Frame } from "../mod.ts";
 *
 * const [identity, text]: Addressed = [Frame.of(65) as Frame, Frame.of(104, 105) as Frame];
 * if (`${identity} says ${text}` !== "A says hi") throw new Error("wrong frames");
 * ```
 */
export type Addressed = [identity: Frame, first: Frame, ...rest: Frame[]];

/**
 * A ROUTER socket: received messages carry the sender's identity in front, and the first frame of
 * a message to send says whom it is for.
 *
 * @example
 * ```ts
 * import { Dealer, Router } from "../mod.ts";
 *
 * await using router = new Router();
 * await router.bind("tcp://127.0.0.1:*");
 * await using dealer = new Dealer();
 * dealer.connect(router.lastEndpoint!);
 *
 * await dealer.send("hello");
 * const [identity, text] = await router.receive();
 * await router.send([identity, `${text} yourself`]);
 * const [answer] = await dealer.receive();
 * if (answer.text() !== "hello yourself") throw new Error("wrong answer");
 * ```
 */
export class Router extends Socket<Addressed> {
  readonly #core: SocketCore;
  readonly #pattern: RouterPattern;

  /** Makes a socket with these options. */
  constructor(options: RouterOptions = {}) {
    const core = new SocketCore("ROUTER", options);
    const pattern = new RouterPattern(core);
    core.pattern = pattern;
    super(core);
    this.#core = core;
    this.#pattern = pattern;
    if (new.target === Router) Object.preventExtensions(this);
  }

  /** Connects; with a routingId the peer can be addressed before it has said a word. */
  override connect(
    endpoint: string,
    options: { routingId?: string | Uint8Array } = {},
  ): void {
    const identity = checkRoutingId(options.routingId);
    if (identity === null) return void this.#core.connect(endpoint);
    this.#pattern.refuseTaken(identity);
    this.#pattern.name(this.#core.connect(endpoint), identity);
  }

  /** Fail with EHOSTUNREACH instead of dropping what goes to nobody. */
  get mandatory(): boolean {
    return this.#core.options.mandatory;
  }
  set mandatory(value: boolean) {
    this.#core.set("mandatory", value);
  }

  /** A newcomer with an identity in use takes it over instead of being refused. */
  get handover(): boolean {
    return this.#core.options.handover;
  }
  set handover(value: boolean) {
    this.#core.set("handover", value);
  }
}
