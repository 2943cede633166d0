/**
 * Frames as a person writes and reads them: `["", READY]`, `[SIG, EXEC, <id a>, "resize", {ttl=5}]`,
 * `[<job 1>, "", "done"]`. Job ids are numbered in the order in which they are first seen; whoever
 * reads a transcript needs no more.
 *
 * | notation | frame |
 * |---|---|
 * | `READY` | a word of the dialogues, an error code or a number: its ASCII |
 * | `"text"` | that text, with JSON's escapes; `"ab" * 300` repeats it, `"a" + "b" * 300` joins |
 * | `0x00ff` | octets |
 * | `SIG` | the signature of the native dialogue |
 * | `<id a>` | a request id of 16 octets, by name |
 * | `<job 1>` | a job id; one that wasn't seen yet is made up |
 * | `{ttl=5, accept}` | headers; `{x=a*300}` repeats |
 * | `<sentence>` | the broker's own sentence for the code in front of it |
 *
 * @module
 */
import { ERROR_SENTENCES, type ErrorCode } from "../../protocol/dialogue/error_code.ts";
import { isJobId, JOB_ID_BYTES, writeJobId } from "../../protocol/dialogue/job_id.ts";
import { octets, SIGNATURE } from "../../protocol/dialogue/words.ts";
import { encodeMetadata } from "../../protocol/zmtp/metadata.ts";

const ID_BYTES = 16;
const BARE = /^([A-Z][A-Z_]+|[0-9]+)$/;
const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
/** A text longer than this is shown as a repetition if it is one. */
const LONG_TEXT = 40;
/** Rows of job ids that are made up: none is that large in a transcript. */
const MADE_UP_ROW = 1_000_000;

/** Reads and writes frames; remembers job ids. */
export class Notation {
  readonly #jobs: Map<string, number> = new Map();
  readonly #ids: Uint8Array[] = [];
  readonly #made: Map<number, Uint8Array> = new Map();

  /** The frames that a text stands for. */
  read(text: string): Uint8Array[] {
    const scanner = new Scanner(text);
    scanner.expect("[");
    const frames: Uint8Array[] = [];
    while (!scanner.take("]")) {
      if (frames.length > 0) scanner.expect(",");
      frames.push(this.#readFrame(scanner));
    }
    scanner.end();
    return frames;
  }

  /** The text of frames. */
  write(frames: readonly Uint8Array[]): string {
    return `[${frames.map((frame, i) => this.#writeFrame(frame, frames[i - 1])).join(", ")}]`;
  }

  #readFrame(scanner: Scanner): Uint8Array {
    const bare = scanner.match(/[A-Za-z0-9_]+/y);
    if (bare === "SIG") return SIGNATURE;
    if (bare?.startsWith("0x")) return Uint8Array.fromHex(bare.slice(2));
    if (bare !== undefined) return octets(bare);
    if (scanner.take("{")) return readHeaders(scanner);
    if (scanner.take("<")) return this.#readName(scanner);
    return octets(readText(scanner));
  }

  #readName(scanner: Scanner): Uint8Array {
    const [kind, name = ""] = scanner.match(/[^>]+/y)?.split(" ") ?? [];
    scanner.expect(">");
    if (kind === "id") return requestId(name);
    if (kind === "job") return this.#job(Number(name));
    throw new Error(`what is <${kind} ${name}>?`);
  }

  #job(number: number): Uint8Array {
    const seen = this.#ids[number - 1] ?? this.#made.get(number);
    if (seen !== undefined) return seen;
    const id = new Uint8Array(JOB_ID_BYTES);
    writeJobId(id, 0, MADE_UP_ROW + number, 1);
    this.#made.set(number, id);
    return id;
  }

  #writeFrame(frame: Uint8Array, before: Uint8Array | undefined): string {
    if (frame.length === 0) return '""';
    if (isJobId(frame, 0, frame.length)) return `<job ${this.#numberOf(frame)}>`;
    if (same(frame, SIGNATURE)) return "SIG";
    const text = textOf(frame);
    if (text === undefined) return headersOf(frame) ?? `0x${frame.toHex()}`;
    if (frame.length === ID_BYTES && text.startsWith("id:")) {
      return `<id ${text.slice(3).replace(/\.+$/, "")}>`;
    }
    const code = before === undefined ? undefined : textOf(before);
    if (code !== undefined && text === ERROR_SENTENCES[code as ErrorCode]) return "<sentence>";
    if (BARE.test(text)) return text;
    const unit = text[0]!;
    if (text.length > LONG_TEXT && text === unit.repeat(text.length)) {
      return `${JSON.stringify(unit)} * ${text.length}`;
    }
    return JSON.stringify(text);
  }

  #numberOf(id: Uint8Array): number {
    const key = id.toHex();
    const known = this.#jobs.get(key);
    if (known !== undefined) return known;
    this.#ids.push(id.slice());
    this.#jobs.set(key, this.#ids.length);
    return this.#ids.length;
  }
}

/** A request id by name. */
export function requestId(name: string): Uint8Array {
  if (name.length === 0 || name.length > ID_BYTES - 3) throw new Error(`"${name}" is no id`);
  return octets(`id:${name}`.padEnd(ID_BYTES, "."));
}

/** A text from `"a" * 3 + "b"`. */
function readText(scanner: Scanner): string {
  let text = "";
  do {
    const part = scanner.quoted();
    text += scanner.take("*") ? part.repeat(Number(scanner.match(/[0-9]+/y))) : part;
  } while (scanner.take("+"));
  return text;
}

/** Headers from `{a=1, b}`, behind the brace. */
function readHeaders(scanner: Scanner): Uint8Array {
  const properties: [string, Uint8Array][] = [];
  while (!scanner.take("}")) {
    if (properties.length > 0) scanner.expect(",");
    const [name = "", value = ""] = scanner.match(/[^,}]+/y)!.trim().split("=");
    const [text = "", count = "1"] = value.split("*");
    properties.push([name, octets(text.repeat(Number(count)))]);
  }
  return encodeMetadata(properties);
}

/** Octets as headers, if they can be nothing else. */
function headersOf(frame: Uint8Array): string | undefined {
  const parts: string[] = [];
  let at = 0;
  while (at < frame.length) {
    const nameEnd = at + 1 + frame[at]!;
    if (frame[at] === 0 || nameEnd + 4 > frame.length) return undefined;
    const size = new DataView(frame.buffer, frame.byteOffset + nameEnd, 4).getUint32(0);
    const end = nameEnd + 4 + size;
    if (end > frame.length) return undefined;
    const name = textOf(frame.subarray(at + 1, nameEnd));
    const value = textOf(frame.subarray(nameEnd + 4, end));
    if (name === undefined || value === undefined) return undefined;
    parts.push(value === "" ? name : `${name}=${value}`);
    at = end;
  }
  return `{${parts.join(", ")}}`;
}

/** Octets as text, if they are some that can be read. */
function textOf(bytes: Uint8Array): string | undefined {
  try {
    const text = decoder.decode(bytes);
    // deno-lint-ignore no-control-regex
    return /[\u0000-\u001f\u007f-\u009f]/.test(text) ? undefined : text;
  } catch {
    return undefined;
  }
}

function same(a: Uint8Array, b: Uint8Array): boolean {
  return a.length === b.length && a.every((octet, i) => octet === b[i]);
}

/** Takes a text apart from its left end. */
class Scanner {
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  match(pattern: RegExp): string | undefined {
    this.#skip();
    pattern.lastIndex = this.#at;
    const found = pattern.exec(this.#text)?.[0];
    this.#at += found?.length ?? 0;
    return found;
  }

  take(mark: string): boolean {
    this.#skip();
    if (!this.#text.startsWith(mark, this.#at)) return false;
    this.#at += mark.length;
    return true;
  }

  expect(mark: string): void {
    if (!this.take(mark)) throw new Error(`"${mark}" is missing: ${this.#text.slice(this.#at)}`);
  }

  quoted(): string {
    const text = this.match(/"(?:[^"\\]|\\.)*"/y);
    if (text === undefined) throw new Error(`not a frame: ${this.#text.slice(this.#at)}`);
    return JSON.parse(text) as string;
  }

  end(): void {
    this.#skip();
    if (this.#at < this.#text.length) {
      throw new Error(`nothing may follow: ${this.#text.slice(this.#at)}`);
    }
  }

  #skip(): void {
    while (this.#text[this.#at] === " ") this.#at++;
  }
}
