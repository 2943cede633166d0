/**
 * A world to test sockets in: a network in memory, sockets that close with it, and raw peers that
 * say exactly the octets they are told to.
 *
 * @module
 */
import {
  Dealer,
  type EventOfType,
  type EventType,
  type Frame,
  Reply,
  Request as RequestSocket,
  type RequestOptions,
  Router,
  type RouterOptions,
  type Socket,
  type SocketOptions,
} from "../../protocol/mod.ts";
import type { IoConnection, IoListener, IoSink } from "../../protocol/io/io.ts";
import { MemoryNetwork, type MemoryNetworkOptions } from "../../protocol/io/memory_io.ts";
import { hex, join, OUR_GREETING, text, toHex } from "./vectors.ts";

/** Where everybody meets. */
export const PLACE = "tcp://127.0.0.1:5555";
/** Another place. */
export const ELSEWHERE = "tcp://127.0.0.1:6666";

const GREETING_BYTES = 64;
const decoder = new TextDecoder();

/** A whole message as octets: up to 255 in each frame. */
export function message(...frames: readonly string[]): Uint8Array {
  return join(...frames.map((frame, i) => {
    const body = text(frame);
    return join(
      new Uint8Array([i < frames.length - 1 ? 1 : 0, body.length]),
      body,
    );
  }));
}

/** READY of a type with an identity. */
export function ready(type: string, identity = ""): Uint8Array {
  const name = text(identity);
  const body = join(
    hex("055245414459 0b536f636b65742d54797065 000000"),
    new Uint8Array([type.length]),
    text(type),
    hex("084964656e74697479 000000"),
    new Uint8Array([name.length]),
    name,
  );
  return join(new Uint8Array([4, body.length]), body);
}

/** A peer that speaks octets. */
export class RawPeer implements IoSink {
  /** The other side sent its last octet. */
  ended = false;
  /** The connection was reset. */
  failed: Error | undefined;
  readonly #connection: IoConnection;
  readonly #into = new Uint8Array(65536);
  #received = new Uint8Array(0);
  #unsent: Uint8Array[] = [];
  #reading = false;
  #writing = false;
  #deaf = false;

  /** Takes a connection over. */
  constructor(connection: IoConnection) {
    this.#connection = connection;
    connection.attach(this);
    this.#read();
  }

  /** Whether the other side is done with it, politely or not. */
  get left(): boolean {
    return this.ended || this.failed !== undefined;
  }

  /** All octets received so far. */
  get octets(): Uint8Array {
    return this.#received;
  }

  /** Says octets. */
  say(...parts: readonly Uint8Array[]): void {
    this.#unsent.push(join(...parts));
    this.#write();
  }

  /** Greets and shakes hands. */
  shake(type = "DEALER", identity = ""): this {
    this.say(OUR_GREETING, ready(type, identity));
    return this;
  }

  /** Reads no more, or again. */
  deafen(on = true): void {
    this.#deaf = on;
    if (!on) this.#read();
  }

  /** Leaves. */
  leave(): void {
    this.#connection.close();
  }

  /**
   * What came after the greeting, a line for each: `PING 000a` for a command with its body in hex,
   * `"a" "b"` for a message.
   */
  heard(): string[] {
    const lines: string[] = [];
    let frames: string[] = [];
    for (const { flags, body } of this.frames()) {
      if ((flags & 4) !== 0) {
        const name = 1 + body[0]!;
        const rest = toHex(body.subarray(name));
        lines.push(`${decoder.decode(body.subarray(1, name))} ${rest}`.trim());
        continue;
      }
      frames.push(JSON.stringify(decoder.decode(body)));
      if ((flags & 1) !== 0) continue;
      lines.push(frames.join(" "));
      frames = [];
    }
    return lines;
  }

  /** Every frame that came whole after the greeting, commands too. */
  *frames(): Generator<{ readonly flags: number; readonly body: Uint8Array }> {
    const bytes = this.#received;
    let at = GREETING_BYTES;
    while (at + 2 <= bytes.length) {
      const flags = bytes[at]!;
      const long = (flags & 2) !== 0;
      const view = new DataView(bytes.buffer, at);
      if (long && at + 9 > bytes.length) return;
      const start = at + (long ? 9 : 2);
      const end = start + (long ? Number(view.getBigUint64(1)) : bytes[at + 1]!);
      if (end > bytes.length) return;
      yield { flags, body: bytes.subarray(start, end) };
      at = end;
    }
  }

  /** The messages that came. */
  messages(): string[] {
    return this.heard().filter((line) => line.startsWith('"'));
  }

  /** How often that came. */
  count(line: string): number {
    return this.heard().filter((it) => it === line).length;
  }

  onRead(count: number): void {
    this.#reading = false;
    if (count === 0) {
      this.ended = true;
      return;
    }
    this.#received = join(this.#received, this.#into.subarray(0, count)).slice();
    this.#read();
  }

  onWritten(count: number): void {
    this.#writing = false;
    const rest = this.#unsent[0]!.subarray(count);
    if (rest.length > 0) this.#unsent[0] = rest;
    else this.#unsent.shift();
    this.#write();
  }

  onFailed(error: Error): void {
    this.failed = error;
  }

  #read(): void {
    if (this.#deaf || this.#reading || this.left) return;
    this.#reading = true;
    this.#connection.read(this.#into);
  }

  #write(): void {
    const first = this.#unsent[0];
    if (this.#writing || first === undefined || this.left) return;
    this.#writing = true;
    this.#connection.write(first);
  }
}

/** A world for one test. All sockets in it drop what waits when it ends. */
export class World {
  readonly network: MemoryNetwork;
  readonly #sockets: Socket[] = [];
  readonly #raws: RawPeer[] = [];
  readonly #listeners: IoListener[] = [];

  /** Makes an empty one. */
  constructor(options: MemoryNetworkOptions = {}) {
    this.network = new MemoryNetwork(options);
  }

  /** A Router on the host "router". */
  router(options: RouterOptions = {}): Router {
    return this.#keep(new Router({ io: this.network.io("router"), ...options }));
  }

  /** A Dealer on the host "dealer". */
  dealer(options: SocketOptions = {}): Dealer {
    return this.#keep(new Dealer({ io: this.network.io("dealer"), ...options }));
  }

  /** A Request on the host "req". */
  req(options: RequestOptions = {}): RequestSocket {
    return this.#keep(
      new RequestSocket({ io: this.network.io("req"), ...options }),
    );
  }

  /** A Reply on the host "rep". */
  rep(options: SocketOptions = {}): Reply {
    return this.#keep(new Reply({ io: this.network.io("rep"), ...options }));
  }

  /** A raw peer on the host "raw", connected. */
  async dial(endpoint = PLACE): Promise<RawPeer> {
    const signal = new AbortController().signal;
    const { hostname, port } = new URL(endpoint.replace("tcp:", "http:"));
    const address = { hostname, port: Number(port) };
    const connecting = this.network.io("raw").connect(address, signal);
    await this.network.settle();
    const raw = new RawPeer(await connecting);
    this.#raws.push(raw);
    return raw;
  }

  /** A raw peer that has shaken hands. */
  async meet(type = "DEALER", identity = ""): Promise<RawPeer> {
    const raw = (await this.dial()).shake(type, identity);
    await this.settle();
    return raw;
  }

  /** A port where all who connect become raw peers, in order; each is told to `greet` first. */
  async listen(
    greet: (raw: RawPeer) => void = () => {},
    endpoint = PLACE,
  ): Promise<RawPeer[]> {
    const port = Number(new URL(endpoint.replace("tcp:", "http:")).port);
    const address = { hostname: "127.0.0.1", port };
    const listener = await this.network.io("raw").listen(address, 100);
    this.#listeners.push(listener);
    const taken: RawPeer[] = [];
    const take = () => {
      listener.accept().then((connection) => {
        const raw = new RawPeer(connection);
        this.#raws.push(raw);
        taken.push(raw);
        greet(raw);
        take();
      }, () => {});
    };
    take();
    return taken;
  }

  /** Runs what is due now. */
  settle(): Promise<void> {
    return this.network.settle();
  }

  /** Lets time pass. */
  pass(milliseconds: number): Promise<void> {
    return this.network.advance(milliseconds);
  }

  /** Ends it. */
  async end(): Promise<void> {
    for (const socket of this.#sockets) {
      socket.linger = 0;
      socket[Symbol.asyncDispose]();
    }
    for (const raw of this.#raws) raw.leave();
    for (const listener of this.#listeners) listener.close();
    await this.network.advance(10_000);
    const { connections } = this.network;
    if (connections.length > 0) {
      throw new Error(`${connections.length} connections outlived their sockets`);
    }
  }

  #keep<T extends Socket>(socket: T): T {
    this.#sockets.push(socket);
    return socket;
  }
}

/** Runs a test's body in a world of its own. */
export async function inWorld(
  body: (world: World) => Promise<void>,
  options: MemoryNetworkOptions = {},
): Promise<void> {
  const world = new World(options);
  await body(world);
  await world.end();
}

/** A test of one line of the checklist, in a world of its own. */
export function zmtp(
  line: number,
  title: string,
  body: (world: World) => Promise<void>,
  options: MemoryNetworkOptions = {},
): void {
  Deno.test(`zmtp ${line}: ${title}`, () => inWorld(body, options));
}

/** The frames of a message as text, an automatic identity as `auto`. */
export function words(frames: readonly Frame[]): string[] {
  return frames.map((frame) => frame.length === 5 && frame[0] === 0 ? "auto" : frame.text());
}

/** The next messages, frames joined by `|`. */
export async function take(socket: Socket, count: number): Promise<string[]> {
  const lines: string[] = [];
  for (let i = 0; i < count; i++) {
    lines.push(words(await socket.receive()).join("|"));
  }
  return lines;
}

/** All messages that wait now, frames joined by `|`. */
export async function drain(socket: Socket): Promise<string[]> {
  const lines: string[] = [];
  while (socket.readable) lines.push(...await take(socket, 1));
  return lines;
}

/** What becomes of a call: `done`, or the code of its error. */
export function outcome(call: Promise<unknown>): Promise<string> {
  return call.then(() => "done", (error) => error.code ?? `${error}`);
}

/** The code of the error that a call throws; `done` if none. */
export function thrown(call: () => unknown): string {
  try {
    call();
    return "done";
  } catch (error) {
    return (error as { code?: string }).code ?? `${error}`;
  }
}

/** Records events of these types, in the order in which they come. */
export function record<T extends EventType>(
  socket: Socket,
  ...types: readonly T[]
): EventOfType<T>[] {
  const events: EventOfType<T>[] = [];
  for (const type of types) socket.events.on(type, (it) => events.push(it));
  return events;
}
