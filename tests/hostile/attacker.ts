/**
 * An attacker: a TCP connection that says whatever octets it is told to, and what such octets are
 * made of. It knows nothing of the sockets that it attacks.
 *
 * @module
 */
import net from "node:net";
import {
  DEALER_GREETING,
  DEALER_READY,
  hex,
  join,
  ROUTER_READY,
  text,
} from "../conformance/vectors.ts";

/** What a peer says to shake hands as a DEALER without an identity. */
export const HANDSHAKE: Uint8Array = join(DEALER_GREETING, DEALER_READY);
/** What a peer hears of a Router when it has shaken hands: greeting and READY. */
export const HELLO_BYTES: number = 64 + ROUTER_READY.length;
/** A legal message of one octet. */
export const MESSAGE: Uint8Array = hex("000161");
/** The Socket-Type of most attackers. */
export const DEALER = ["Socket-Type", text("DEALER")] as const;

/** A property of a READY; its length may lie. */
export type Property = readonly [name: string, value: Uint8Array, length?: number];

/** A long frame's header. */
export function longHeader(flags: number, size: bigint | number): Uint8Array {
  const bytes = new Uint8Array(9);
  bytes[0] = flags | 2;
  new DataView(bytes.buffer).setBigUint64(1, BigInt(size));
  return bytes;
}

/** A command frame around a body, LONG where it must be. */
export function commandFrame(body: Uint8Array): Uint8Array {
  const short = body.length <= 255;
  return join(short ? Uint8Array.of(4, body.length) : longHeader(4, body.length), body);
}

/** A READY with these properties. */
export function ready(...properties: readonly Property[]): Uint8Array {
  const parts = [hex("05"), text("READY")];
  for (const [name, value, length = value.length] of properties) {
    const size = new Uint8Array(4);
    new DataView(size.buffer).setUint32(0, length);
    parts.push(Uint8Array.of(name.length), text(name), size, value);
  }
  return commandFrame(join(...parts));
}

/** What a peer says to shake hands as a DEALER of that name. */
export function handshakeAs(identity: string | Uint8Array): Uint8Array {
  const bytes = typeof identity === "string" ? text(identity) : identity;
  return join(DEALER_GREETING, ready(DEALER, ["Identity", bytes]));
}

/** One end of a connection that does as it pleases. */
export class Attacker implements Disposable {
  readonly #conn: Deno.TcpConn;
  /** What `hearMessages()` has read of a frame that isn't whole. */
  readonly #buffer = new Uint8Array(65536);
  #filled = 0;

  /** Takes a connection over. Each octet goes out when it is said. */
  constructor(conn: Deno.TcpConn) {
    this.#conn = conn;
    conn.setNoDelay();
  }

  /** Connects, and says these octets if any. */
  static async to(port: number, ...parts: readonly Uint8Array[]): Promise<Attacker> {
    const attacker = new Attacker(await Deno.connect({ hostname: "127.0.0.1", port }));
    if (parts.length > 0) await attacker.say(...parts);
    return attacker;
  }

  /** Writes octets. Gives false if the other side has closed by then. */
  async say(...parts: readonly Uint8Array[]): Promise<boolean> {
    const bytes = parts.length === 1 ? parts[0]! : join(...parts);
    try {
      for (let at = 0; at < bytes.length;) {
        at += await this.#conn.write(bytes.subarray(at));
      }
      return true;
    } catch {
      return false;
    }
  }

  /** Reads until so many octets came; fewer only if the stream ends. */
  async hear(count: number): Promise<Uint8Array> {
    const bytes = new Uint8Array(count);
    let at = 0;
    while (at < count) {
      const got = await this.#conn.read(bytes.subarray(at));
      if (got === null) break;
      at += got;
    }
    return bytes.subarray(0, at);
  }

  /** Reads once; gives how many messages ended in what came. What is cut in two counts later. */
  async hearMessages(): Promise<number> {
    const got = await this.#conn.read(this.#buffer.subarray(this.#filled));
    if (got === null) throw new Error("the stream has ended");
    const end = this.#filled + got;
    let [at, messages] = [0, 0];
    while (at + 2 <= end) {
      const [flags, size] = [this.#buffer[at]!, this.#buffer[at + 1]!];
      if ((flags & 2) !== 0) throw new Error("a long frame");
      if (at + 2 + size > end) break;
      at += 2 + size;
      if ((flags & 5) === 0) messages++;
    }
    this.#buffer.copyWithin(0, at, end);
    this.#filled = end - at;
    return messages;
  }

  /** Reads to the end of the stream, which a reset is too; gives what came. */
  async end(): Promise<Uint8Array> {
    const parts: Uint8Array[] = [];
    const buffer = new Uint8Array(65536);
    try {
      for (;;) {
        const got = await this.#conn.read(buffer);
        if (got === null) break;
        parts.push(buffer.slice(0, got));
      }
    } catch {
      // A reset ends the stream too.
    }
    return join(...parts);
  }

  /** Says no more, but still reads. */
  async closeWrite(): Promise<void> {
    await this.#conn.closeWrite();
  }

  /** Leaves. */
  [Symbol.dispose](): void {
    try {
      this.#conn.close();
    } catch {
      // Closed already.
    }
  }
}

/** A peer that never reads and may reset its connection. */
export interface Resetter {
  /** Writes octets; they are the kernel's when this resolves. */
  say(...parts: readonly Uint8Array[]): Promise<void>;
  /** Resets the connection. */
  reset(): void;
}

/** Connects and says octets. Deno's own connections end politely; these can be reset. */
export async function resetter(port: number, ...parts: readonly Uint8Array[]): Promise<Resetter> {
  const socket = net.connect({ host: "127.0.0.1", port, noDelay: true });
  socket.on("error", () => {}).pause();
  await new Promise<void>((resolve) => socket.once("connect", () => resolve()));
  const say = (...parts: readonly Uint8Array[]) =>
    new Promise<void>((resolve) => socket.write(join(...parts), () => resolve()));
  await say(...parts);
  return { say, reset: () => void socket.resetAndDestroy() };
}
