/**
 * Names that peers chose, as people and JSON see them: text where the octets are UTF-8, hex where
 * they aren't. What a terminal must not see is escaped where it is printed, not here.
 *
 * @module
 */

const strict = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/**
 * Octets as a name.
 *
 * @example
 * ```ts
 * import { nameOf } from "./names.ts";
 *
 * if (nameOf(new Uint8Array([104, 105])) !== "hi") throw new Error("not text");
 * if (nameOf(new Uint8Array([0xff, 1])) !== "0xff01") throw new Error("not hex");
 * ```
 */
export function nameOf(bytes: Uint8Array): string {
  try {
    return strict.decode(bytes);
  } catch {
    let hex = "0x";
    for (const octet of bytes) hex += octet.toString(16).padStart(2, "0");
    return hex;
  }
}
