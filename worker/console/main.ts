/**
 * `deno task worker`: the process around a worker and its console.
 *
 * Needs the network to reach its broker. What is loaded while it runs it needs to read: the user's
 * commands, and the modules of threads and child workers.
 *
 * @module
 */
import { pathToFileURL } from "node:url";
import { denoIo } from "../../protocol/io/deno_io.ts";
import type { Io } from "../../protocol/io/io.ts";
import { Ending } from "../../terminal/ending.ts";
import { EXIT, type ExitCode } from "../../terminal/exit_code.ts";
import { Logger } from "../../terminal/logger.ts";
import { SharedLog } from "./shared_log.ts";
import { UsageError } from "../../terminal/options.ts";
import type { Output } from "../../terminal/output.ts";
import { paintFor } from "../../terminal/paint.ts";
import {
  listen,
  onStopSignals,
  runProgram,
  surviveFaults,
  viewWidth,
} from "../../terminal/program.ts";
import { VERSION } from "../../terminal/version.ts";
import { timeOfDay } from "../../terminal/wall_clock.ts";
import { messageOf } from "../failure.ts";
import { handlersIn } from "../handler_module.ts";
import { NUMBERS, type WorkerOptions } from "../options.ts";
import { Worker } from "../worker.ts";
import { readArgs, type Wish } from "./args.ts";
import { builtIn } from "./builtin.ts";
import { Bulk } from "./bulk.ts";
import { complete } from "./commands.ts";
import { WorkerConsole } from "./console.ts";
import { helpText } from "./help.ts";

const NAME = "rota worker";

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
  const shared = new SharedLog((line) => log.entry(line), io);
  const module = moduleOf(wish);
  let worker: Worker;
  try {
    worker = await Worker.start({
      ...wish.options,
      ...await handlersFor(wish, module),
      manual: true,
      onLog: (line) => shared.entry(line),
      io,
    });
  } catch (error) {
    log.answer(`${NAME}: ${messageOf(error)}`);
    return EXIT.failed;
  }
  return await serve(worker, module, wish, io, output, log, shared);
}

/** The module with all commands. A relative path is one from where the program was started. */
function moduleOf({ commands }: Wish): string {
  const module = new URL("./command_module.ts", import.meta.url);
  if (commands === undefined) return module.href;
  const isUrl = /^[a-z][a-z0-9+.-]+:/i.test(commands);
  module.searchParams.set("commands", isUrl ? commands : pathToFileURL(commands).href);
  return module.href;
}

/** Threads load the handlers themselves; the built-in ones are here already. */
async function handlersFor({ options, commands }: Wish, module: string): Promise<WorkerOptions> {
  if ((options.threads ?? 0) > 0) return { handlers: module };
  if (commands === undefined) return { handlers: builtIn };
  const { handlers, defaultHandler } = handlersIn(await import(module));
  return defaultHandler === undefined ? { handlers } : { handlers, defaultHandler };
}

/** Works until it is told to end, by whomever. */
async function serve(
  worker: Worker,
  module: string,
  wish: Wish,
  io: Io,
  output: Output,
  log: Logger,
  shared: SharedLog,
): Promise<ExitCode> {
  const { threads: _, ...options } = wish.options;
  const bulk = new Bulk({
    io,
    start: { module, options },
    address: worker.status.address,
    onLog: (line) => shared.entry(line),
  });
  let told = false;
  const ending = new Ending(
    {
      close: async () => {
        told = true;
        await Promise.all([worker.close(), bulk.end()]);
        shared.close();
      },
      waits: () => ({ running: worker.status.running }),
      drainSeconds: wish.options.drainSeconds ?? NUMBERS.drainSeconds.value,
    },
    io,
    log,
  );
  onStopSignals((name) => ending.signal(name));
  surviveFaults(log);
  const console = new WorkerConsole({ io, worker, bulk, ending, output, log, width: viewWidth });
  const prompt = listen({
    name: "worker",
    output,
    log,
    command: (line) => console.command(line),
    complete,
    interrupt: () => ending.signal("SIGINT"),
  });
  // The broker's EXIT ends the worker, and with it the program.
  worker.closed.then(() => told || ending.begin());
  const code = await Promise.race([ending.code, refusal(console, wish)]);
  prompt.close();
  return code;
}

/** Registers unless it is to wait; resolves with an exit code if that can't be. */
async function refusal(console: WorkerConsole, { manual }: Wish): Promise<ExitCode> {
  if (manual) console.announce();
  else if (!await console.register()) return EXIT.failed;
  return await new Promise(() => {});
}

if (import.meta.main) {
  const io = denoIo();
  await runProgram(io, (output) => main(Deno.args, io, output));
}
