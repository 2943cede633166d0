/**
 * `deno task broker`: the process around a broker and its console.
 *
 * Needs the network and nothing else: NO_COLOR is known to Deno itself, history stays in memory, and
 * files are neither read nor written.
 *
 * @module
 */
import { denoIo } from "../../protocol/io/deno_io.ts";
import type { Io } from "../../protocol/io/io.ts";
import { SocketError } from "../../protocol/errors.ts";
import { EXIT, type ExitCode } from "../../terminal/exit_code.ts";
import { linesOf } from "../../terminal/lines.ts";
import { Logger } from "../../terminal/logger.ts";
import { UsageError } from "../../terminal/options.ts";
import { Output } from "../../terminal/output.ts";
import { paintFor } from "../../terminal/paint.ts";
import { Prompt } from "../../terminal/prompt.ts";
import { VERSION } from "../../terminal/version.ts";
import { timeOfDay } from "../../terminal/wall_clock.ts";
import { Broker } from "../broker.ts";
import { readArgs, type Wish } from "./args.ts";
import { complete } from "./commands.ts";
import { BrokerConsole } from "./console.ts";
import { Ending } from "./ending.ts";
import { helpText } from "./help.ts";

/** How long the last words may take to be written. */
const LAST_WORDS_MS = 500;

const NAME = "rota broker";

/** Runs the program; gives its exit code. */
async function main(args: readonly string[], io: Io, output: Output): Promise<ExitCode> {
  let wish: Wish;
  try {
    wish = readArgs(args, Deno.stderr.isTerminal());
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    output.err(`${NAME}: ${error.message}\n`);
    return EXIT.usage;
  }
  if (wish.help || wish.version) {
    output.out(wish.help ? helpText() : `${NAME} ${VERSION}\n`);
    return EXIT.ok;
  }
  const log = new Logger({
    output,
    level: wish.options.debug,
    json: wish.json,
    paint: paintFor(Deno.stderr.isTerminal()),
    time: timeOfDay,
  });
  let broker: Broker;
  try {
    broker = await Broker.start({ ...wish.options, io, onLog: (line) => log.entry(line) });
  } catch (error) {
    if (!(error instanceof SocketError)) throw error;
    log.answer(`${NAME}: ${error.message}${cure(error)}`);
    return EXIT.failed;
  }
  return await serve(broker, wish, io, output, log);
}

/** What helps where a port can't be had. */
function cure({ code }: SocketError): string {
  if (code !== "EADDRINUSE") return "";
  return "; choose another with --frontend or --backend, such as tcp://127.0.0.1:*";
}

/** Serves until it is told to end. */
async function serve(
  broker: Broker,
  wish: Wish,
  io: Io,
  output: Output,
  log: Logger,
): Promise<ExitCode> {
  const ending = new Ending(broker, io, log, wish.options.drainSeconds ?? 10);
  for (const name of ["SIGINT", "SIGTERM"] as const) {
    Deno.addSignalListener(name, () => ending.signal(name));
  }
  // A fault of ours costs what it broke, not all who are served.
  globalThis.addEventListener("unhandledrejection", (event) => {
    event.preventDefault();
    const error = event.reason instanceof Error ? event.reason.stack : undefined;
    log.entry({ level: 0, event: "fault", details: { error: error ?? String(event.reason) } });
  });
  const console = new BrokerConsole({ broker, ending, output, log, width });
  console.announce();
  const isPrompt = Deno.stdin.isTerminal() && Deno.stderr.isTerminal();
  const prompt = isPrompt ? startPrompt(broker, console, ending, output, log) : undefined;
  if (prompt === undefined) readLines(console);
  const code = await ending.code;
  prompt?.close();
  return code;
}

/** Columns of the terminal that views go to. */
function width(): number {
  return Deno.stdout.isTerminal() ? Deno.consoleSize().columns || 80 : Infinity;
}

/** Runs what is piped in, a line at a time. The end of it ends nothing. */
async function readLines(console: BrokerConsole): Promise<void> {
  try {
    for await (const line of linesOf(Deno.stdin.readable)) await console.command(line);
  } catch {
    // An input that can't be read is one that has ended.
  }
}

function startPrompt(
  broker: Broker,
  console: BrokerConsole,
  ending: Ending,
  output: Output,
  log: Logger,
): Prompt {
  log.answer("Type help for commands; Ctrl-C or quit ends the broker.");
  const prompt = new Prompt({
    prompt: "rota> ",
    write: (text) => output.err(text),
    complete: (line) => complete(line, broker.views),
    onLine: (line) => console.command(line),
    onInterrupt: () => ending.signal("SIGINT"),
    onEnd: () => log.answer("End of input; the broker goes on, Ctrl-C ends it."),
  });
  log.above = (print) => prompt.above(print);
  return prompt;
}

if (import.meta.main) {
  const io = denoIo();
  const pass = (milliseconds: number) =>
    new Promise<void>((resolve) => io.setTimer(resolve, milliseconds));
  const shared = Deno.stdout.isTerminal() && Deno.stderr.isTerminal();
  const output = new Output(Deno.stdout, Deno.stderr, shared, pass);
  const code = await main(Deno.args, io, output);
  await Promise.race([output.flush(), pass(LAST_WORDS_MS)]);
  Deno.exit(code);
}
