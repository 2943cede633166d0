/**
 * A program on a pseudo-terminal, as a person would use it: keys go in, the screen comes out.
 *
 * @module
 */
import { installPackage, NODE_PTY } from "../interop/install.ts";
import { TextLineStream } from "../interop/text_lines.ts";
import { inTime } from "./line_reader.ts";

/** Keys that have no letter. */
export const KEYS = {
  enter: "\r",
  tab: "\t",
  up: "\x1b[A",
  ctrlC: "\x03",
  ctrlD: "\x04",
  ctrlZ: "\x1a",
} as const;

/** A terminal with a program in it. */
export class Terminal implements AsyncDisposable {
  /** All that was printed, with its control sequences. */
  raw = "";
  readonly #child: Deno.ChildProcess;
  readonly #keys: WritableStreamDefaultWriter<Uint8Array>;
  readonly #output: ReadableStreamDefaultReader<string>;
  #code: number | undefined;
  #from = 0;

  private constructor(child: Deno.ChildProcess) {
    this.#child = child;
    this.#keys = child.stdin.getWriter();
    this.#output = child.stdout.pipeThrough(new TextLineStream()).getReader();
  }

  /** Starts a program in a terminal of that many columns. */
  static async start(
    args: readonly string[],
    env: Readonly<Record<string, string>>,
    columns = 80,
  ): Promise<Terminal> {
    const script = decodeURIComponent(new URL("terminal.mjs", import.meta.url).pathname);
    const folder = await installPackage(NODE_PTY);
    const child = new Deno.Command("node", {
      args: [script, folder, String(columns), Deno.execPath(), ...args],
      env,
      stdin: "piped",
      stdout: "piped",
    }).spawn();
    return new Terminal(child);
  }

  /** Presses keys, each by itself, as fingers do. */
  async press(...keys: string[]): Promise<void> {
    for (const key of keys) {
      await this.#keys.write(new TextEncoder().encode(`${JSON.stringify(key)}\n`));
    }
  }

  /** Waits until that is on the screen, behind what was waited for before. */
  async see(text: string): Promise<void> {
    for (;;) {
      const at = this.raw.indexOf(text, this.#from);
      if (at >= 0) {
        this.#from = at + text.length;
        return;
      }
      if (!await this.#read()) throw new Error(`${JSON.stringify(text)} never came:\n${this.raw}`);
    }
  }

  /** Waits for the program's end; gives its exit code. */
  async code(): Promise<number> {
    while (this.#code === undefined && await this.#read());
    return this.#code ?? -1;
  }

  async #read(): Promise<boolean> {
    const { value } = await inTime(this.#output.read(), () => this.raw);
    if (value === undefined) return false;
    const said = JSON.parse(value);
    if (typeof said === "number") this.#code = said;
    else this.raw += said;
    return true;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#keys.close().catch(() => {});
    await this.#output.cancel();
    await this.#child.status;
  }
}
