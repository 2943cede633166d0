/**
 * A listening port in memory: connections wait here until they are accepted.
 *
 * @module
 */
import { SocketError } from "../errors.ts";
import type { IoAddress, IoConnection, IoListener } from "./io.ts";
import type { MemoryLink } from "./memory_link.ts";

const ANY = ["0.0.0.0", "::"];
const LOOPBACK = ["127.0.0.1", "localhost", "::1"];

/** A listening port. */
export class MemoryListener implements IoListener {
  /** Where it listens. */
  readonly address: IoAddress;
  /** The name of the host that listens. */
  readonly host: string;
  readonly #backlog: number;
  readonly #onClose: (listener: MemoryListener) => void;
  readonly #waiting: MemoryLink[] = [];
  readonly #takers: PromiseWithResolvers<IoConnection>[] = [];
  #closed = false;

  /** Made by a network. */
  constructor(
    address: IoAddress,
    host: string,
    backlog: number,
    onClose: (listener: MemoryListener) => void,
  ) {
    this.address = address;
    this.host = host;
    this.#backlog = Math.max(backlog, 1);
    this.#onClose = onClose;
  }

  /** Whether no more connections can wait. */
  get full(): boolean {
    return this.#waiting.length >= this.#backlog;
  }

  /** Whether who connects to `hostname` arrives here: any address, the same one, or our name. */
  answersTo(hostname: string): boolean {
    const own = this.address.hostname;
    return ANY.includes(own) || own === hostname || this.host === hostname ||
      (LOOPBACK.includes(own) && LOOPBACK.includes(hostname));
  }

  /** Whether nobody else can listen at `address` meanwhile. */
  occupies(address: IoAddress): boolean {
    return this.address.port === address.port &&
      (ANY.includes(address.hostname) || ANY.includes(this.address.hostname) ||
        this.address.hostname === address.hostname);
  }

  /** A connection has come. */
  offer(link: MemoryLink): void {
    const taker = this.#takers.shift();
    if (taker !== undefined) taker.resolve(link.toEnd);
    else this.#waiting.push(link);
  }

  /** The next connection. */
  accept(): Promise<IoConnection> {
    if (this.#closed) return Promise.reject(closedError());
    const link = this.#waiting.shift();
    if (link !== undefined) return Promise.resolve(link.toEnd);
    const taker = Promise.withResolvers<IoConnection>();
    this.#takers.push(taker);
    return taker.promise;
  }

  /** Listens no more; connections that nobody accepted are reset. */
  close(): void {
    if (this.#closed) return;
    this.#closed = true;
    this.#onClose(this);
    for (const taker of this.#takers.splice(0)) taker.reject(closedError());
    for (const link of this.#waiting.splice(0)) {
      link.cut();
      link.toEnd.close();
    }
  }
}

function closedError(): SocketError {
  return new SocketError("EBADF", "Cannot accept: the listener is closed");
}
