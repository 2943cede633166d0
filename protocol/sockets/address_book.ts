/**
 * A Router's peers by their addresses. It finds one without making a string where it can: the
 * addresses that we gave out ourselves are numbers, and the peer asked for last is often asked for
 * again.
 *
 * @module
 */
import type { Pipe } from "./fair_queue.ts";

/** Octets of an address that we give out: zero and a number. No peer may call itself so. */
const NUMBERED_BYTES = 5;

/** Pipes by address. */
export class AddressBook {
  readonly #numbered: Map<number, Pipe> = new Map();
  readonly #named: Map<string, Pipe> = new Map();
  /** The pipe found last among the named ones, with its address. */
  #last: Pipe | undefined;
  #lastAddress: Uint8Array | undefined;

  /** Who has that address. */
  get(address: Uint8Array): Pipe | undefined {
    if (isNumbered(address)) return this.#numbered.get(numberOf(address));
    if (this.#lastAddress !== undefined && isSame(address, this.#lastAddress)) return this.#last;
    const pipe = this.#named.get(keyOf(address));
    if (pipe !== undefined) {
      this.#last = pipe;
      this.#lastAddress = address.slice();
    }
    return pipe;
  }

  /** Gives a pipe that address; whoever had it has it no more. */
  set(address: Uint8Array, pipe: Pipe): void {
    this.#forgetLast();
    if (isNumbered(address)) this.#numbered.set(numberOf(address), pipe);
    else this.#named.set(keyOf(address), pipe);
  }

  /** Nobody has that address any more. */
  delete(address: Uint8Array): void {
    this.#forgetLast();
    if (isNumbered(address)) this.#numbered.delete(numberOf(address));
    else this.#named.delete(keyOf(address));
  }

  #forgetLast(): void {
    this.#last = this.#lastAddress = undefined;
  }
}

/** An address of our own making. */
export function numberedAddress(number: number): Uint8Array {
  const address = new Uint8Array(NUMBERED_BYTES);
  new DataView(address.buffer).setUint32(1, number);
  return address;
}

/** Identity as a map key: a letter in front, so that no peer chooses the key's hash. */
export function keyOf(identity: Uint8Array): string {
  let key = "i";
  for (let i = 0; i < identity.length; i++) {
    key += String.fromCharCode(identity[i]!);
  }
  return key;
}

function isNumbered(address: Uint8Array): boolean {
  return address.length === NUMBERED_BYTES && address[0] === 0;
}

function numberOf(address: Uint8Array): number {
  return (address[1]! << 24 | address[2]! << 16 | address[3]! << 8 | address[4]!) >>> 0;
}

function isSame(one: Uint8Array, other: Uint8Array): boolean {
  if (one.length !== other.length) return false;
  for (let i = 0; i < one.length; i++) if (one[i] !== other[i]) return false;
  return true;
}
