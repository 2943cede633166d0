/**
 * The two sides of a conversation, told apart by nothing but who plays them.
 *
 * A side makes sockets and can be struck dead. `LocalSide` is Rota in this process, `ProcessSide` is a
 * ZeroMQ in a process of its own.
 *
 * @module
 */

import { Actor, type Command, type Value } from "./actor.mjs";
import { Peer } from "./peer.ts";

/** The socket types, by the names of their classes. */
export type SocketClass = "Request" | "Reply" | "Dealer" | "Router";

/** Options of a socket, as zeromq.js names them. */
export type Options = Readonly<Record<string, string | number | boolean>>;

/** Who plays sockets. */
export interface Side extends AsyncDisposable {
  /** Whether Rota plays here: some promises are ours alone. */
  readonly isRota: boolean;
  /** Does one command. */
  request(command: Command): Promise<Value>;
  /** Ends everything that plays here, as a crash would, and is ready for a new start. */
  restart(): Promise<void>;
}

/** Rota's sockets, in this process. */
export class LocalSide implements Side {
  readonly isRota = true;
  #actor: Actor;

  /** Takes the module that has the socket classes. */
  constructor(library: object) {
    this.#actor = new Actor(library);
  }

  request(command: Command): Promise<Value> {
    return this.#actor.execute(command);
  }

  async restart(): Promise<void> {
    await this.#actor.closeAll();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#actor.closeAll();
  }
}

/** Sockets in a child process. */
export class ProcessSide implements Side {
  readonly isRota = false;
  #start: () => Promise<Peer>;
  #peer: Peer;

  private constructor(start: () => Promise<Peer>, peer: Peer) {
    this.#start = start;
    this.#peer = peer;
  }

  /** Starts the process. */
  static async start(command: string, args: string[]): Promise<ProcessSide> {
    const start = () => Peer.start(command, args);
    return new ProcessSide(start, await start());
  }

  request(command: Command): Promise<Value> {
    return this.#peer.request(command);
  }

  async restart(): Promise<void> {
    await this.#peer[Symbol.asyncDispose]();
    this.#peer = await this.#start();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#peer[Symbol.asyncDispose]();
  }
}

let created = 0;

/** One socket of a side. Every wait in it is bounded. */
export class TestSocket implements AsyncDisposable {
  /** Who plays it. */
  readonly side: Side;
  #name: string;

  private constructor(side: Side) {
    this.side = side;
    this.#name = `socket ${++created}`;
  }

  /** Makes a socket. */
  static async create(side: Side, type: SocketClass, options: Options): Promise<TestSocket> {
    const socket = new TestSocket(side);
    await socket.#do("create", { type, options });
    return socket;
  }

  /** Binds; returns the endpoint with its port. */
  async bind(endpoint = "tcp://127.0.0.1:*"): Promise<string> {
    return String(await this.#do("bind", { endpoint }));
  }

  /** Connects, now or whenever the other side is there. */
  async connect(endpoint: string): Promise<void> {
    await this.#do("connect", { endpoint });
  }

  /** Changes an option of the socket. */
  async set(option: string, value: string | number | boolean): Promise<void> {
    await this.#do("set", { option, value });
  }

  /** Sends a message. */
  async send(frames: readonly string[]): Promise<void> {
    await this.#do("send", { frames });
  }

  /** Sends a message from a ROUTER with `mandatory`, once it knows the peer. */
  async sendWhenKnown(frames: readonly string[]): Promise<void> {
    await this.#do("sendWhenKnown", { frames });
  }

  /** Receives a message, its frames in the text form of actor.mjs. */
  async receive(): Promise<string[]> {
    return await this.#do("receive", {}) as string[];
  }

  /** Receives a message while another one, which the socket has to skip, may come before it. */
  async receiveBehindSkipped(): Promise<string[]> {
    return await this.#do("receive", { again: !this.side.isRota }) as string[];
  }

  /** Lets a socket that is otherwise idle see to its connections. */
  async nudge(): Promise<void> {
    await this.#do("nudge", {});
  }

  /** Sends messages back as they come; returns the last one. */
  async echo(count = 1): Promise<string[]> {
    return await this.#do("echo", { count, again: !this.side.isRota }) as string[];
  }

  /** Sends the numbers from 0, each behind the frames of `head`. */
  async stream(head: readonly string[], count: number): Promise<void> {
    await this.#do("stream", { head, count });
  }

  /** Receives the numbers from 0 in order. */
  async expect(count: number): Promise<void> {
    await this.#do("expect", { count });
  }

  /** Sends a number and waits for it, again and again. */
  async lockstep(count: number): Promise<void> {
    await this.#do("lockstep", { count });
  }

  /** Waits until an event has come `count` times. */
  async awaitEvent(type: string, count = 1): Promise<void> {
    await this.#do("awaitEvent", { type, count });
  }

  /** How often an event has come. */
  async countEvents(type: string): Promise<number> {
    const seen = await this.#do("events", {}) as string[];
    return seen.filter((each) => each === type).length;
  }

  /** Closes the socket; no error if a crash of its side has already done so. */
  async [Symbol.asyncDispose](): Promise<void> {
    await this.#do("close", {}).catch((error) => {
      if (!/no socket is named/.test(String(error))) throw error;
    });
  }

  #do(op: string, details: Record<string, unknown>): Promise<Value> {
    return this.side.request({ op, name: this.#name, ...details });
  }
}
