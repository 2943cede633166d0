/**
 * The two sides of every hostile test: a live Router that answers, a well-behaved Dealer whose
 * round trips must all succeed meanwhile, and an attacker that writes raw octets over TCP.
 *
 * @module
 */
import { assert, assertEquals } from "@std/assert";
import { Dealer, Router, type RouterOptions } from "../../protocol/mod.ts";
import { type Inside, inspect } from "../../protocol/sockets/inspect.ts";
import { DEALER_GREETING, DEALER_READY, hex, join, text } from "../conformance/vectors.ts";

/** What a peer says to shake hands as a DEALER without an identity. */
export const HANDSHAKE: Uint8Array = join(DEALER_GREETING, DEALER_READY);

/** A long frame's header: flags and a size as hex of 8 octets. */
export function longHeader(flags: number, size: bigint): Uint8Array {
  const bytes = new Uint8Array(9);
  bytes[0] = flags | 2;
  new DataView(bytes.buffer).setBigUint64(1, size);
  return bytes;
}

/** A command frame around a body, LONG where it must be. */
export function commandFrame(body: Uint8Array): Uint8Array {
  const head = body.length > 255
    ? longHeader(4, BigInt(body.length))
    : hex("04" + body.length.toString(16).padStart(2, "0"));
  return join(head, body);
}

/** A READY with these properties; a length may lie. */
export function ready(
  properties: readonly (readonly [string, Uint8Array, number?])[],
): Uint8Array {
  const parts = [hex("05"), text("READY")];
  for (const [name, value, length = value.length] of properties) {
    const size = new Uint8Array(4);
    new DataView(size.buffer).setUint32(0, length);
    parts.push(new Uint8Array([name.length]), text(name), size, value);
  }
  return commandFrame(join(...parts));
}

/** One connection that does as it pleases. */
export class Attacker implements Disposable {
  readonly conn: Deno.TcpConn;

  private constructor(conn: Deno.TcpConn) {
    this.conn = conn;
  }

  /** Connects, and says these octets if any. */
  static async to(
    port: number,
    ...parts: readonly Uint8Array[]
  ): Promise<Attacker> {
    const conn = await Deno.connect({ hostname: "127.0.0.1", port });
    const attacker = new Attacker(conn);
    if (parts.length > 0) await attacker.say(...parts);
    return attacker;
  }

  /** Writes octets. Gives false if the other side has closed by then. */
  async say(...parts: readonly Uint8Array[]): Promise<boolean> {
    const bytes = join(...parts);
    try {
      for (let at = 0; at < bytes.length;) {
        at += await this.conn.write(bytes.subarray(at));
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
      const got = await this.conn.read(bytes.subarray(at));
      if (got === null) break;
      at += got;
    }
    return bytes.subarray(0, at);
  }

  /** Reads to the end of the stream, which a reset is too; gives what came. */
  async end(): Promise<Uint8Array> {
    const parts: Uint8Array[] = [];
    const buffer = new Uint8Array(65536);
    try {
      for (;;) {
        const got = await this.conn.read(buffer);
        if (got === null) break;
        parts.push(buffer.slice(0, got));
      }
    } catch {
      // A reset ends the stream too.
    }
    return join(...parts);
  }

  [Symbol.dispose](): void {
    try {
      this.conn.close();
    } catch {
      // Closed already.
    }
  }
}

/** A Router that echoes, and a Dealer that asks it without a pause. */
export class Siege implements AsyncDisposable {
  readonly router: Router;
  readonly port: number;
  readonly inside: Inside;
  /** Messages of others than the good peer. */
  readonly strangers: Uint8Array[][] = [];
  /** Round trips that the good peer has made. */
  trips = 0;
  readonly #dealer: Dealer;
  readonly #good: Promise<void>;
  readonly #echo: Promise<void>;
  #stop = false;
  #onTrip: (() => void) | undefined;

  private constructor(router: Router) {
    this.router = router;
    this.port = Number(router.lastEndpoint!.split(":").at(-1));
    this.inside = inspect(router);
    this.#dealer = new Dealer({ routingId: "good", linger: 0 });
    this.#dealer.connect(router.lastEndpoint!);
    this.#echo = this.#answer();
    this.#good = this.#ask();
  }

  /** Binds and starts the good peer; ready after its first round trip. */
  static async lay(options: RouterOptions = {}): Promise<Siege> {
    const router = new Router({ linger: 0, ...options });
    await router.bind("tcp://127.0.0.1:*");
    const siege = new Siege(router);
    await siege.trip();
    return siege;
  }

  /** How often that was counted. */
  count(what: string): number {
    return this.inside.counters.get(what) ?? 0;
  }

  /** An attacker that has said these octets. */
  attack(...parts: readonly Uint8Array[]): Promise<Attacker> {
    return Attacker.to(this.port, ...parts);
  }

  /** Waits for a whole round trip of the good peer that began after this call. */
  async trip(): Promise<void> {
    for (const end = this.trips + 2; this.trips < end;) {
      await new Promise<void>((resolve) => this.#onTrip = resolve);
    }
  }

  /** Waits, trip by trip, until that is so. */
  async until(holds: () => boolean): Promise<void> {
    while (!holds()) await this.trip();
  }

  /**
   * These octets end their sender: it is closed, that counter goes up by 1, and the good peer goes
   * on. Gives what the offender was told.
   */
  async punishes(
    counter: string,
    ...parts: readonly Uint8Array[]
  ): Promise<Uint8Array> {
    const before = this.count(counter);
    using attacker = await this.attack(...parts);
    const told = await attacker.end();
    assertEquals(this.count(counter), before + 1, counter);
    await this.trip();
    assertEquals(this.strangers, []);
    return told;
  }

  /** Memory stayed below that, in octets. */
  assertPeak(most: number): void {
    const { peak } = this.inside.budget;
    assert(peak <= most, `${peak} octets at the peak, ${most} allowed`);
  }

  async #answer(): Promise<void> {
    for await (const frames of this.router) {
      if (frames[0]!.text() === "good") this.router.send(frames);
      else this.strangers.push(frames);
    }
  }

  async #ask(): Promise<void> {
    while (!this.#stop) {
      const question = `question ${this.trips}`;
      await this.#dealer.send(question);
      const [answer] = await this.#dealer.receive();
      assertEquals(answer!.text(), question);
      this.trips++;
      this.#onTrip?.();
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#stop = true;
    await this.#good;
    await this.#dealer[Symbol.asyncDispose]();
    await this.router[Symbol.asyncDispose]();
    await this.#echo;
    assertEquals(this.inside.budget.used, 0, "memory is left");
  }
}
