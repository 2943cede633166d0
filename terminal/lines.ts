/**
 * Octets that are piped in, as lines. A line that never ends costs no memory without end.
 *
 * @module
 */

/** The longest line that is taken; the rest of it is lost. */
const LONGEST = 65_536;

/**
 * The lines of a stream, without their ends. What stands behind the last end is a line too.
 *
 * @example
 * ```ts
 * import { linesOf } from "./lines.ts";
 *
 * const seen = [];
 * for await (const line of linesOf(new Blob(["a\r\nb"]).stream())) seen.push(line);
 * if (seen.join() !== "a,b") throw new Error(seen.join());
 * ```
 */
export async function* linesOf(
  stream: ReadableStream<Uint8Array<ArrayBuffer>>,
): AsyncGenerator<string, void, undefined> {
  let rest = "";
  for await (const text of stream.pipeThrough(new TextDecoderStream())) {
    const parts = text.split("\n");
    parts[0] = rest + parts[0]!;
    rest = parts.pop()!.slice(0, LONGEST);
    for (const line of parts) yield line.slice(0, LONGEST).replace(/\r$/, "");
  }
  if (rest !== "") yield rest;
}
