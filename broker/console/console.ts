/**
 * A broker with a console: prints that it serves, runs commands that are typed or piped in, and ends
 * when it is told to. The process itself (streams, signals, exit code) is the business of `main.ts`.
 *
 * @module
 */
import { parseEndpoint } from "../../protocol/io/endpoint.ts";
import type { Ending } from "../../terminal/ending.ts";
import type { Logger } from "../../terminal/logger.ts";
import type { Output } from "../../terminal/output.ts";
import type { Broker } from "../broker.ts";
import { runCommand } from "./commands.ts";

/** What a console is made of. */
export interface ConsoleParts {
  readonly broker: Broker;
  readonly ending: Ending;
  readonly output: Output;
  readonly log: Logger;
  /** Columns of the terminal that views are printed to; Infinity where there is none. */
  readonly width: () => number;
}

/** The console of a broker. */
export class BrokerConsole {
  readonly #parts: ConsoleParts;

  constructor(parts: ConsoleParts) {
    this.#parts = parts;
  }

  /** Says that the broker serves, and where; and to whom, if that may be a surprise. */
  announce(): void {
    const { broker, output, log } = this.#parts;
    const { frontend, backend } = broker;
    output.out(`rota broker ready frontend=${frontend} backend=${backend}\n`);
    const open = [frontend, backend].filter((endpoint) => !isLoopback(endpoint));
    if (open.length === 0) return;
    const event = `no authentication: whoever reaches ${open.join(" and ")} can use this broker`;
    log.entry({ level: 0, event, details: {} });
  }

  /** Runs one line; resolves when all of its output is written. */
  async command(line: string): Promise<void> {
    const { broker, ending, output, log, width } = this.#parts;
    const { view, say, quit } = runCommand(line, { views: broker.views, width: width() });
    if (view !== undefined) output.out(`${view.join("\n")}\n`);
    for (const text of say ?? []) log.answer(text);
    if (quit) ending.begin();
    await output.flush();
  }
}

/** Whether only this machine can reach an endpoint. */
function isLoopback(endpoint: string): boolean {
  const { hostname } = parseEndpoint(endpoint, "bind");
  return hostname === "localhost" || hostname === "::1" || /^127(\.[0-9]+){3}$/.test(hostname);
}
