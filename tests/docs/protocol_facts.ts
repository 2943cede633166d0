// What PROTOCOL.md and ERRORS.md say of words, codes, reasons, limits and options, taken from the
// code: their tables must name exactly these.

import type { DropReason } from "../../broker/core/counters.ts";
import type { Refusal } from "../../broker/core/worker_desk.ts";
import { LIMITS } from "../../broker/limits.ts";
import { checkOptions } from "../../broker/options.ts";
import * as errors from "../../client/errors.ts";
import { ERROR_SENTENCES } from "../../protocol/dialogue/error_code.ts";
import * as words from "../../protocol/dialogue/words.ts";
import { FAULTS, ProtocolError } from "../../protocol/errors.ts";
import { octets } from "./facts.ts";

const decoder = new TextDecoder();

/** A name as tables write it. */
function code(name: string): string {
  return `\`${name}\``;
}

/** The words of all dialogues, in the order of their file. */
export function wordNames(): string[] {
  return Object.entries(words)
    .filter(([name, value]) => value instanceof Uint8Array && decoder.decode(value) === name)
    .map(([name]) => name)
    .sort();
}

/** The codes of ERROR messages. */
export function errorCodes(): string[] {
  return Object.keys(ERROR_SENTENCES);
}

/** Every reason of REFUSED, once; the compiler sees to it that none is missing. */
const REFUSALS: Readonly<Record<Refusal, true>> = {
  "unknown": true,
  "slots": true,
  "address": true,
  "option": true,
  "service": true,
  "socket-type": true,
  "second-address": true,
  "address-in-use": true,
  "too-many-workers": true,
  "too-many-services": true,
};

/** The reasons of REFUSED. */
export function refusals(): string[] {
  return Object.keys(REFUSALS);
}

/** Every reason of a drop, once; the compiler sees to it that none is missing. */
const DROPS: Readonly<Record<DropReason, true>> = {
  "client gone": true,
  "nobody waits": true,
  "stale result": true,
  "forged result": true,
  "no envelope": true,
  "long envelope": true,
  "no body": true,
  "unknown worker": true,
  "too many workers": true,
  "not understood": true,
  "shutdown": true,
  "unknown request": true,
  "bad credit": true,
  "dead letters full": true,
};

/** The reasons of drops. */
export function drops(): string[] {
  return Object.keys(DROPS);
}

/** The table of the broker's limits: name and default. */
export function brokerLimits(): [name: string, value: string][] {
  return Object.entries(LIMITS).map(([name, { value }]) => [code(name), valueOf(name, value)]);
}

function valueOf(name: string, value: number): string {
  if (name.endsWith("Bytes")) return octets(value);
  return name.endsWith("Seconds") ? `${value} s` : value.toLocaleString("en");
}

/** The table of the broker's options that peers notice: name and default. */
export function brokerOptions(): [name: string, value: string][] {
  const { frontend, backend, numbers, exitWorkers } = checkOptions({});
  const { debug: _, ...seen } = numbers;
  return [
    [code("frontend"), frontend],
    [code("backend"), backend],
    ...Object.entries(seen).map(([name, value]): [string, string] => [
      code(name),
      name.endsWith("Bytes") ? octets(value) : value.toLocaleString("en"),
    ]),
    [code("exitWorkers"), String(exitWorkers)],
  ];
}

/** How a call can fail: the code and the class of its error, sorted by code. */
export function callErrors(): [code: string, error: string][] {
  const made = Object.values(errors).flatMap((value) => {
    if (typeof value !== "function" || !isCallError(value)) return [];
    return [new value("why")];
  });
  return made.map(({ code: name, name: error }): [string, string] => [code(name), code(error)])
    .sort(([a], [b]) => a < b ? -1 : 1);
}

/** Whether it is the class of one code. `CallError` is that of all. */
function isCallError(value: object): value is new (message: string) => errors.CallError {
  return Object.getPrototypeOf(value) === errors.CallError;
}

/** What a peer can do wrong: the fault and the code of its error. */
export function faults(): [fault: string, error: string][] {
  return FAULTS.map((fault) => [code(fault), code(new ProtocolError(fault, "why").code)]);
}
