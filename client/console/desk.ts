/**
 * What a command of the client's console has to work with, and how its results are printed: data to
 * standard output, the rest to standard error.
 *
 * @module
 */
import type { Io } from "../../protocol/io/io.ts";
import { printable, toJson } from "../../terminal/escape.ts";
import { EXIT, type ExitCode } from "../../terminal/exit_code.ts";
import type { Logger } from "../../terminal/logger.ts";
import type { Output } from "../../terminal/output.ts";
import { countText } from "../../terminal/quantity.ts";
import type { Client } from "../client.ts";
import { CallError } from "../errors.ts";

/** Octets that are no text are shown up to here. */
const SHOWN_OCTETS = 256;

const strict = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/** Where and how a command runs. */
export interface Desk {
  readonly client: Client;
  /** Makes another client of the same brokers. */
  readonly another: () => Client;
  readonly io: Io;
  readonly output: Output;
  readonly log: Logger;
  readonly json: boolean;
  /** What each call is told. */
  readonly options: {
    readonly timeout: number;
    readonly signal: AbortSignal;
    readonly service?: string;
  };
  /** Columns of the terminal that progress is drawn on; 0 where there is none. */
  readonly barWidth: number;
  /** Whether results are written as octets, just as they came. */
  readonly raw: boolean;
  /** All of standard input; undefined where commands come from there. */
  readonly input: (() => Promise<Uint8Array>) | undefined;
}

/** Prints lines, or a value where programs read. */
export function tell({ output, json }: Desk, lines: readonly string[], value: unknown): void {
  output.out(`${json ? toJson(value) : lines.join("\n")}\n`);
}

/** Says why a command failed, and gives the exit code. */
export function fail(desk: Desk, command: string, error: unknown): ExitCode {
  const { json, log, options } = desk;
  if (options.signal.aborted) {
    if (!json) log.answer(`${command} was stopped`);
    return EXIT.interrupted;
  }
  if (!(error instanceof CallError)) throw error;
  const { code, message } = error;
  if (json) tell(desk, [], { command, ok: false, code, error: message });
  else log.answer(`${code}: ${message}`);
  return code === "TIMEOUT" ? EXIT.timeout : EXIT.failed;
}

/** Prints frames: as they came where a program reads, else fit for a terminal. */
export function printFrames(desk: Desk, frames: readonly Uint8Array[]): void {
  if (desk.raw) return frames.forEach((frame) => desk.output.octets(frame));
  for (const frame of frames) {
    const text = textOf(frame);
    desk.output.out(text.endsWith("\n") ? text : `${text}\n`);
  }
}

/** A frame as people read it. */
function textOf(frame: Uint8Array): string {
  try {
    return printable(strict.decode(frame));
  } catch {
    const hex = new Uint8Array(frame.subarray(0, SHOWN_OCTETS)).toHex();
    const more = frame.length > SHOWN_OCTETS ? "…" : "";
    return `${countText(frame.length)} octets: ${hex}${more}`;
  }
}

/** A frame in JSON: text, or octets in base64. */
export function frameValue(frame: Uint8Array): string | { readonly base64: string } {
  try {
    return strict.decode(frame);
  } catch {
    return { base64: new Uint8Array(frame).toBase64() };
  }
}
