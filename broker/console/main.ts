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
import { Ending } from "../../terminal/ending.ts";
import { EXIT, type ExitCode } from "../../terminal/exit_code.ts";
import { Logger } from "../../terminal/logger.ts";
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
import { Broker } from "../broker.ts";
import { NUMBERS } from "../options.ts";
import { readArgs, type Wish } from "./args.ts";
import { complete } from "./commands.ts";
import { BrokerConsole } from "./console.ts";
import { helpText } from "./help.ts";

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
  const ending = new Ending(
    {
      close: () => broker.close(),
      waits: () => {
        const { running, waiting } = broker.views.snapshot().jobs;
        return { running, waiting };
      },
      drainSeconds: wish.options.drainSeconds ?? NUMBERS.drainSeconds.value,
    },
    io,
    log,
  );
  onStopSignals((name) => ending.signal(name));
  surviveFaults(log);
  const console = new BrokerConsole({ broker, ending, output, log, width: viewWidth });
  console.announce();
  const prompt = listen({
    name: "broker",
    output,
    log,
    command: (line) => console.command(line),
    complete: (line) => complete(line, broker.views),
    interrupt: () => ending.signal("SIGINT"),
  });
  const code = await ending.code;
  prompt.close();
  return code;
}

if (import.meta.main) {
  const io = denoIo();
  await runProgram(io, (output) => main(Deno.args, io, output));
}
