/**
 * Everything of the wire that a conformance rule may touch, as one object: the rules run against
 * the real one, and against copies with one line broken (mutants_test.ts).
 *
 * @module
 */
import * as errors from "../../protocol/errors.ts";
import * as command from "../../protocol/zmtp/command.ts";
import * as connection from "../../protocol/zmtp/connection.ts";
import * as frame from "../../protocol/zmtp/frame.ts";
import * as greeting from "../../protocol/zmtp/greeting.ts";
import * as inputBuffer from "../../protocol/zmtp/input_buffer.ts";
import * as limits from "../../protocol/zmtp/limits.ts";
import * as messageReader from "../../protocol/zmtp/message_reader.ts";
import * as metadata from "../../protocol/zmtp/metadata.ts";
import * as nullMechanism from "../../protocol/zmtp/null_mechanism.ts";
import * as outputBatch from "../../protocol/zmtp/output_batch.ts";
import * as socketType from "../../protocol/zmtp/socket_type.ts";

/** The functions and classes under test. */
export type Wire =
  & typeof errors
  & typeof command
  & typeof connection
  & typeof frame
  & typeof greeting
  & typeof inputBuffer
  & typeof limits
  & typeof messageReader
  & typeof metadata
  & typeof nullMechanism
  & typeof outputBatch
  & typeof socketType;

/** The files that make up a wire, below `protocol/`; a mutant is a copy of these. */
export const WIRE_FILES = [
  "errors.ts",
  "zmtp/command.ts",
  "zmtp/connection.ts",
  "zmtp/frame.ts",
  "zmtp/greeting.ts",
  "zmtp/input_buffer.ts",
  "zmtp/limits.ts",
  "zmtp/mechanism.ts",
  "zmtp/memory.ts",
  "zmtp/message_reader.ts",
  "zmtp/metadata.ts",
  "zmtp/null_mechanism.ts",
  "zmtp/output_batch.ts",
  "zmtp/socket_type.ts",
  "zmtp/state.ts",
] as const;

/** One of those files. */
export type WireFile = (typeof WIRE_FILES)[number];

/** The wire as it is. */
export const REAL: Wire = {
  ...errors,
  ...command,
  ...connection,
  ...frame,
  ...greeting,
  ...inputBuffer,
  ...limits,
  ...messageReader,
  ...metadata,
  ...nullMechanism,
  ...outputBatch,
  ...socketType,
};

/** A rule of the checklist and what shows that a wire keeps it. */
export interface Rule {
  /** Its line in the checklist. */
  readonly number: number;
  /** The rule in a few words. */
  readonly title: string;
  /** Throws if the wire breaks the rule. */
  readonly check: (wire: Wire) => void;
}

/** Makes a rule. */
export function rule(
  number: number,
  title: string,
  check: (wire: Wire) => void,
): Rule {
  return { number, title, check };
}
