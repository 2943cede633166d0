/**
 * What a child process prints, line by line. Whoever waits for a line in vain is told what came instead.
 *
 * @module
 */
import { TextLineStream } from "../interop/text_lines.ts";

/** Nothing that is waited for takes this long: a test that hangs tells what it saw. */
const PATIENCE_MS = 60_000;

/** What a promise comes to; throws if it takes too long, with what was seen until then. */
export async function inTime<T>(promise: Promise<T>, seen: () => string): Promise<T> {
  const late = Promise.withResolvers<never>();
  const timer = setTimeout(() => late.reject(new Error(`waited in vain:\n${seen()}`)), PATIENCE_MS);
  try {
    return await Promise.race([promise, late.promise]);
  } finally {
    clearTimeout(timer);
  }
}

/** Lines of a stream, kept as they come. */
export class LineReader {
  /** All lines so far. */
  readonly seen: string[] = [];
  readonly #reader: ReadableStreamDefaultReader<string>;

  constructor(stream: ReadableStream<Uint8Array<ArrayBuffer>>) {
    this.#reader = stream.pipeThrough(new TextLineStream()).getReader();
  }

  /** The next line; undefined at the end. */
  async next(): Promise<string | undefined> {
    const { value } = await inTime(this.#reader.read(), () => this.seen.join("\n"));
    if (value !== undefined) this.seen.push(value);
    return value;
  }

  /** The next line that matches; throws if the stream ends without one. */
  async until(pattern: RegExp): Promise<string> {
    for (let line = await this.next(); line !== undefined; line = await this.next()) {
      if (pattern.test(line)) return line;
    }
    throw new Error(`no line matches ${pattern}:\n${this.seen.join("\n")}`);
  }

  /** All lines up to the end. */
  async rest(): Promise<string[]> {
    const from = this.seen.length;
    while (await this.next() !== undefined);
    return this.seen.slice(from);
  }

  /** Reads no more: the other side finds that nobody listens. */
  async cancel(): Promise<void> {
    await this.#reader.cancel();
  }
}
