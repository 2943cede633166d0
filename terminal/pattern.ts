/**
 * Octets that both ends know: what the worker's built-in STREAM gives and the client's bulkdata
 * checks. Octet number i is i modulo 251, a prime, so that a chunk that is lost, doubled or out of
 * place is seen whatever its size.
 *
 * @module
 */

const MODULUS = 251;

/**
 * The octets from number `start` on.
 *
 * @example
 * ```ts
 * import { isPattern, patternOctets } from "./pattern.ts";
 *
 * if (!isPattern(patternOctets(1000, 50), 1000)) throw new Error("not its own");
 * if (isPattern(patternOctets(1000, 50), 1001)) throw new Error("not out of place");
 * ```
 */
export function patternOctets(start: number, length: number): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(length);
  for (let i = 0, octet = start % MODULUS; i < length; i++) {
    bytes[i] = octet;
    if (++octet === MODULUS) octet = 0;
  }
  return bytes;
}

/** Whether these are the octets from number `start` on. */
export function isPattern(bytes: Uint8Array, start: number): boolean {
  for (let i = 0, octet = start % MODULUS; i < bytes.length; i++) {
    if (bytes[i] !== octet) return false;
    if (++octet === MODULUS) octet = 0;
  }
  return true;
}
