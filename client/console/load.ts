/**
 * Many calls, so many at a time, and what came of them.
 *
 * @module
 */
import { EXIT, type ExitCode } from "../../terminal/exit_code.ts";
import { Histogram } from "../../terminal/histogram.ts";
import { CallError } from "../errors.ts";

/** What to do, how often, and for how long. */
export interface Load {
  /** How many in all. */
  readonly count: number;
  /** How many at a time. */
  readonly parallel: number;
  /** No new one is begun from then on. */
  readonly until: number;
  readonly now: () => number;
  /** Ends it early; what is under way is cancelled. */
  readonly signal: AbortSignal;
  /** Does it once; gives how many octets came. */
  readonly once: (lane: number) => Promise<number>;
  /** One is over. */
  readonly onStep: () => void;
}

/** What came of it. */
export interface Figures {
  /** Calls that were made and not taken back. */
  readonly sent: number;
  readonly succeeded: number;
  /** How often each code was the end. */
  readonly failed: ReadonlyMap<string, number>;
  /** How long those took that succeeded. */
  readonly times: Histogram;
  /** Octets that came. */
  readonly octets: number;
  readonly milliseconds: number;
  /** Whether it was ended early. */
  readonly stopped: boolean;
}

/** An answer that isn't what was asked for. */
export class WrongDataError extends CallError {
  /** Makes one with a sentence for people. */
  constructor(message: string) {
    super("WRONG_DATA", message);
  }
}

/** Makes all calls. */
export async function carry(load: Load): Promise<Figures> {
  const { count, parallel, until, now, signal, once, onStep } = load;
  const failed = new Map<string, number>();
  const times = new Histogram();
  const began = now();
  let [sent, succeeded, octets, hopeless] = [0, 0, 0, false];
  const lane = async (number: number) => {
    while (sent < count && !signal.aborted && !hopeless && now() < until) {
      sent++;
      const start = now();
      try {
        const came = await once(number);
        times.add(now() - start);
        octets += came;
        succeeded++;
      } catch (error) {
        if (!(error instanceof CallError)) {
          if (!signal.aborted) throw error;
          sent--;
          return;
        }
        failed.set(error.code, (failed.get(error.code) ?? 0) + 1);
        // Nobody is there, and a loop of failures that come at once would leave no time for anything.
        hopeless = error.code === "CONNECTION_LOST";
      }
      onStep();
    }
  };
  await Promise.all(Array.from({ length: Math.min(parallel, count) }, (_, i) => lane(i)));
  const milliseconds = now() - began;
  return { sent, succeeded, failed, times, octets, milliseconds, stopped: signal.aborted };
}

/** What the program ends with. */
export function codeOf({ failed, stopped }: Figures): ExitCode {
  if (stopped) return EXIT.interrupted;
  if (failed.size === 0) return EXIT.ok;
  return failed.size === 1 && failed.has("TIMEOUT") ? EXIT.timeout : EXIT.failed;
}
