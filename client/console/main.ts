/**
 * `deno task client`: the process around a client and its console.
 *
 * Needs the network and nothing else: NO_COLOR is known to Deno itself, history stays in memory, and
 * files are neither read nor written.
 *
 * @module
 */
import { denoIo } from "../../protocol/io/deno_io.ts";
import type { Io } from "../../protocol/io/io.ts";
import { EXIT, type ExitCode } from "../../terminal/exit_code.ts";
import { Logger } from "../../terminal/logger.ts";
import { UsageError } from "../../terminal/options.ts";
import type { Output } from "../../terminal/output.ts";
import { paintFor } from "../../terminal/paint.ts";
import { barWidth, hasPrompt, listen, onStopSignals, runProgram } from "../../terminal/program.ts";
import { StopRule } from "../../terminal/stop_rule.ts";
import { VERSION } from "../../terminal/version.ts";
import { timeOfDay } from "../../terminal/wall_clock.ts";
import { readArgs, type Wish } from "./args.ts";
import { complete, readCommand } from "./commands.ts";
import { ClientConsole } from "./console.ts";
import { helpText } from "./help.ts";

const NAME = "rota client";

/** Runs the program; gives its exit code. */
async function main(args: readonly string[], io: Io, output: Output): Promise<ExitCode> {
  let wish: Wish;
  try {
    wish = readArgs(args);
    readCommand(wish.words.join(" "));
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    output.err(`${NAME}: ${error.message}\n`);
    return EXIT.usage;
  }
  if (wish.help || wish.version) {
    output.out(wish.help ? helpText() : `${NAME} ${VERSION}\n`);
    return EXIT.ok;
  }
  const isOneShot = wish.words.length > 0;
  const isPrompt = !isOneShot && hasPrompt();
  const level = wish.debug ?? (isPrompt ? 1 : 0);
  const paint = paintFor(Deno.stderr.isTerminal());
  const log = new Logger({ output, level, json: wish.json, paint, time: timeOfDay });
  const parts = { wish, io, output, log, barWidth };
  const raw = isOneShot && !Deno.stdout.isTerminal();
  const input = isOneShot ? readInput : undefined;
  await using client = new ClientConsole({ ...parts, raw, input });
  client.connect();
  return isOneShot
    ? await runOnce(client, io, wish.words.join(" "))
    : await serve(client, io, output, log, isPrompt);
}

/** Runs one command. */
async function runOnce(client: ClientConsole, io: Io, line: string): Promise<ExitCode> {
  const { promise: ended, resolve: end } = Promise.withResolvers<ExitCode>();
  stopAtSignals(client, io, end);
  client.command(line).then(() => end(client.worst));
  return await ended;
}

/** Runs commands until there are no more. At a prompt it is no failure that one of them failed. */
async function serve(
  client: ClientConsole,
  io: Io,
  output: Output,
  log: Logger,
  isPrompt: boolean,
): Promise<ExitCode> {
  const { promise: ended, resolve: end } = Promise.withResolvers<ExitCode>();
  let over = false;
  const finish = () => {
    over = true;
    end(isPrompt ? EXIT.ok : client.worst);
  };
  stopAtSignals(client, io, end);
  const listening = listen({
    name: "client",
    hint: "Ctrl-C stops a command, Ctrl-D or quit ends the client.",
    output,
    log,
    complete,
    command: async (line) => {
      if (over) return;
      const quit = await client.command(line);
      if (quit || (!isPrompt && client.worst >= EXIT.interrupted)) finish();
    },
    interrupt: () => {
      if (!client.interrupt()) end(EXIT.interrupted);
    },
    end: finish,
  });
  const code = await ended;
  listening.close();
  return code;
}

/** A signal stops the command that runs; if none does, or the second time, it ends the program. */
function stopAtSignals(client: ClientConsole, io: Io, end: (code: ExitCode) => void): void {
  const rule = new StopRule();
  onStopSignals((name) => {
    const code = name === "SIGINT" ? EXIT.interrupted : EXIT.terminated;
    const meant = rule.signal(io.now());
    if (meant === "at once" || (meant === "gently" && !client.interrupt())) end(code);
    else if (code > client.worst) client.worst = code;
  });
}

/** All of standard input. */
async function readInput(): Promise<Uint8Array> {
  return new Uint8Array(await new Response(Deno.stdin.readable).arrayBuffer());
}

if (import.meta.main) {
  const io = denoIo();
  await runProgram(io, (output) => main(Deno.args, io, output));
}
