// What documents say of options, codes, events and limits, taken from the code: the tables must be
// equal to these, line by line, so that neither can change alone.

import { BUDGET_BYTES } from "../../protocol/engine/budget.ts";
import { ANSWER_BYTES } from "../../protocol/engine/link.ts";
import { WRITE_PATIENCE_MS } from "../../protocol/engine/liveness.ts";
import { defaultSettings } from "../../protocol/engine/settings.ts";
import type { EventType, SocketErrorCode } from "../../protocol/mod.ts";
import { WAITING_EVENTS } from "../../protocol/sockets/events.ts";
import { WAITING_BYTES } from "../../protocol/sockets/fair_queue.ts";
import { defaultOptions } from "../../protocol/sockets/options.ts";
import {
  BUFFER_BYTES,
  IDENTITY_BYTES,
  PING_CONTEXT_BYTES,
  PING_TTL_TENTHS,
  SEND_BYTES,
  WIRE_LIMITS,
} from "../../protocol/zmtp/limits.ts";
import { NUMBERS as WORKER_NUMBERS, type WorkerOptions } from "../../worker/options.ts";
import { CASE_NAMES, CASES, DIRECTIONS, PAIRS } from "../interop/matrix.ts";

const UNITS = [["GiB", 2 ** 30], ["MiB", 2 ** 20], ["KiB", 2 ** 10]] as const;

/** Octets as people write them: in the largest unit that divides them. */
export function octets(count: number): string {
  const unit = UNITS.find(([, size]) => count >= size && count % size === 0);
  return unit === undefined ? count.toLocaleString("en") : `${count / unit[1]} ${unit[0]}`;
}

/** Milliseconds as people write them. */
export function time(milliseconds: number): string {
  return milliseconds < 1000 ? `${milliseconds} ms` : `${milliseconds / 1000} s`;
}

/** The table of limits: what is bounded, and by how much. */
export function limits(): [what: string, value: string][] {
  const settings = defaultSettings("ROUTER");
  const options = defaultOptions();
  const count = (value: number) => value.toLocaleString("en");
  return [
    ["octets in one received message", octets(WIRE_LIMITS.messageBytes)],
    ["frames in one received message", count(WIRE_LIMITS.messageFrames)],
    ["octets in one frame", WIRE_LIMITS.frameBytes < 0 ? "no limit" : "a limit"],
    ["octets in one command, handshake metadata included", octets(WIRE_LIMITS.commandBytes)],
    ["octets in an identity", octets(IDENTITY_BYTES)],
    ["octets of a PING's context that are given back", octets(PING_CONTEXT_BYTES)],
    ["time-to-live that we announce", time(PING_TTL_TENTHS * 100)],
    ["octets in one message to send", octets(SEND_BYTES)],
    ["octets in one buffer", octets(BUFFER_BYTES)],
    ["buffers and queues of all peers of one socket", octets(BUDGET_BYTES)],
    [
      "wait of the largest unfinished message while memory is short",
      time(settings.starvedInterval),
    ],
    ["messages waiting for one peer", count(options.sendHighWaterMark)],
    ["octets waiting for one peer", octets(settings.outputBytes)],
    ["messages of one peer waiting to be received", count(options.receiveHighWaterMark)],
    ["octets of one peer waiting to be received", octets(WAITING_BYTES)],
    ["octets of PONGs that a peer leaves unread", octets(ANSWER_BYTES)],
    ["accepted connections of one socket", count(settings.connections)],
    ["accepted connections that have not shaken hands", count(settings.handshakes)],
    ["connections waiting in the system to be accepted", count(options.backlog)],
    ["time for a handshake", time(options.handshakeInterval)],
    ["write without progress, where heartbeats are on", time(WRITE_PATIENCE_MS)],
    ["wait before connecting again", time(options.reconnectInterval)],
    ["events that wait to be received", count(WAITING_EVENTS)],
  ];
}

/** The table of options: names and defaults. */
export function options(): [name: string, value: string][] {
  const plain = Object.entries(defaultOptions())
    .map(([name, value]): [string, string] => [`\`${name}\``, String(value)]);
  return [...plain, ["`io`", "Deno's"]];
}

/** Every code, once; the compiler sees to it that none is missing. */
const CODES: Readonly<Record<SocketErrorCode, true>> = {
  EAGAIN: true,
  EHOSTUNREACH: true,
  EFSM: true,
  EINVAL: true,
  EPROTONOSUPPORT: true,
  EADDRINUSE: true,
  EADDRNOTAVAIL: true,
  EACCES: true,
  ENOENT: true,
  EBADF: true,
  EMSGSIZE: true,
  ECONNRESET: true,
  ETIMEDOUT: true,
  EIO: true,
};

/** Every event, once; the compiler sees to it that none is missing. */
const EVENTS: Readonly<Record<EventType, true>> = {
  "accept": true,
  "accept:error": true,
  "bind": true,
  "bind:error": true,
  "close": true,
  "close:error": true,
  "connect": true,
  "connect:delay": true,
  "connect:retry": true,
  "disconnect": true,
  "end": true,
  "handshake": true,
  "handshake:error:auth": true,
  "handshake:error:other": true,
  "handshake:error:protocol": true,
  "unknown": true,
};

/** The codes of errors, sorted, as the table writes them. */
export function codes(): string[] {
  return Object.keys(CODES).map((code) => `\`${code}\``).sort();
}

/** The events, sorted, as the table writes them. */
export function events(): string[] {
  return Object.keys(EVENTS).map((event) => `\`${event}\``).sort();
}

/** Cells of the interop matrix that are played. */
export function cells(): number {
  return PAIRS.flatMap((pair) => CASE_NAMES.filter((name) => CASES[name](pair) === undefined))
    .length * DIRECTIONS.length;
}

/** Every option of a worker, in the order of the table; the compiler sees to it that none is missing. */
const WORKER_OPTIONS: Readonly<Record<keyof WorkerOptions, true>> = {
  broker: true,
  handlers: true,
  defaultHandler: true,
  slots: true,
  services: true,
  address: true,
  threads: true,
  dialect: true,
  manual: true,
  heartbeatSeconds: true,
  brokerTimeoutSeconds: true,
  timeouts: true,
  drainSeconds: true,
  signal: true,
  debug: true,
  onLog: true,
  io: true,
};

/** The options of a worker, as the table writes them. */
export function workerOptions(): string[] {
  return Object.keys(WORKER_OPTIONS).map((name) => `\`${name}\``);
}

/** Those that are numbers, with their defaults. */
export function workerNumbers(): [name: string, value: string][] {
  return Object.entries(WORKER_NUMBERS).map(([name, { value }]) => [`\`${name}\``, String(value)]);
}
