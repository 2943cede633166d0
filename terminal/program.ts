/**
 * The process around a console: its streams, its signals, what is typed or piped in, and its end.
 *
 * @module
 */
import type { Clock, StopSignal } from "./ending.ts";
import type { ExitCode } from "./exit_code.ts";
import { linesOf } from "./lines.ts";
import type { Logger } from "./logger.ts";
import { Output } from "./output.ts";
import { Prompt } from "./prompt.ts";

/** How long the last words may take to be written. */
const LAST_WORDS_MS = 500;
/** What a terminal that tells no size is taken to have. */
const COLUMNS = 80;

/** Runs a program and ends the process with its exit code, once its last words are written. */
export async function runProgram(
  clock: Pick<Clock, "setTimer">,
  main: (output: Output) => Promise<ExitCode>,
): Promise<void> {
  const pass = (milliseconds: number) =>
    new Promise<void>((resolve) => clock.setTimer(resolve, milliseconds));
  const shared = Deno.stdout.isTerminal() && Deno.stderr.isTerminal();
  const output = new Output(Deno.stdout, Deno.stderr, shared, pass);
  const code = await main(output);
  await Promise.race([output.flush(), pass(LAST_WORDS_MS)]);
  Deno.exit(code);
}

/** Tells whoever listens of SIGINT and SIGTERM, which end nothing by themselves any more. */
export function onStopSignals(listen: (name: StopSignal) => void): void {
  for (const name of ["SIGINT", "SIGTERM"] as const) {
    Deno.addSignalListener(name, () => listen(name));
  }
}

/** A fault that nobody caught costs what it broke, not the process: it is told. */
export function surviveFaults(log: Logger): void {
  const tell = (reason: unknown) => {
    const error = reason instanceof Error ? reason.stack : undefined;
    log.entry({ level: 0, event: "fault", details: { error: error ?? String(reason) } });
  };
  globalThis.addEventListener("unhandledrejection", (event) => {
    event.preventDefault();
    tell(event.reason);
  });
  globalThis.addEventListener("error", (event) => {
    event.preventDefault();
    tell(event.error);
  });
}

/** Columns of the terminal that views go to; Infinity where there is none. */
export function viewWidth(): number {
  return Deno.stdout.isTerminal() ? Deno.consoleSize().columns || COLUMNS : Infinity;
}

/** Columns of the terminal that progress is drawn on; 0 where there is none. */
export function barWidth(): number {
  return Deno.stderr.isTerminal() ? Deno.consoleSize().columns || COLUMNS : 0;
}

/** Whether commands are typed at a prompt. */
export function hasPrompt(): boolean {
  return Deno.stdin.isTerminal() && Deno.stderr.isTerminal();
}

/** Who is told what is typed. */
export interface Listener {
  /** What the program is called, such as `broker`. */
  readonly name: string;
  readonly output: Output;
  readonly log: Logger;
  /** Runs one line; resolves when all of its output is written. */
  command(line: string): Promise<void>;
  /** What may stand at the end of a line: whole words, and the part of it that they replace. */
  complete(line: string): [words: string[], part: string];
  /** Ctrl-C at the prompt. */
  interrupt(): void;
  /** There will be no more lines. Without it that ends nothing. */
  end?(): void;
  /** What is said above the first prompt, where Ctrl-C doesn't end the program. */
  readonly hint?: string;
}

/**
 * Listens to what is typed at a prompt, where there is a terminal, or piped in. Gives what takes the
 * prompt away.
 */
export function listen(listener: Listener): { close(): void } {
  if (hasPrompt()) return startPrompt(listener);
  readLines(listener);
  return { close: () => {} };
}

async function readLines(listener: Listener): Promise<void> {
  try {
    for await (const line of linesOf(Deno.stdin.readable)) await listener.command(line);
  } catch {
    // An input that can't be read is one that has ended.
  }
  listener.end?.();
}

function startPrompt(listener: Listener): Prompt {
  const { name, output, log } = listener;
  log.answer(`Type help for commands; ${listener.hint ?? `Ctrl-C or quit ends the ${name}.`}`);
  const prompt = new Prompt({
    prompt: "rota> ",
    write: (text) => output.err(text),
    complete: (line) => listener.complete(line),
    onLine: (line) => listener.command(line),
    onInterrupt: () => listener.interrupt(),
    onEnd: () => {
      if (listener.end !== undefined) listener.end();
      else log.answer(`End of input; the ${name} goes on, Ctrl-C ends it.`);
    },
  });
  log.above = (print) => prompt.above(print);
  return prompt;
}
