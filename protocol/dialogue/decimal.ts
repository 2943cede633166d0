/**
 * Numbers in frames: ASCII decimals, nothing else. No sign, no space, no leading zero, no regex.
 *
 * @module
 */

/** The number that those octets spell, or -1 if they spell none or more than `most`. */
export function readDecimal(
  bytes: Uint8Array,
  start: number,
  end: number,
  most: number,
): number {
  const length = end - start;
  if (length === 0 || length > 15) return -1;
  if (length > 1 && bytes[start] === 48) return -1;
  let value = 0;
  for (let i = start; i < end; i++) {
    const digit = bytes[i]! - 48;
    if (digit < 0 || digit > 9) return -1;
    value = value * 10 + digit;
  }
  return value <= most ? value : -1;
}
