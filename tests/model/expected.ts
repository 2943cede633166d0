/**
 * The transitions that must occur in the runs of the model: a run of millions of steps in which one of
 * these never happened has shown nothing about it.
 *
 * @module
 */
import { DEEDS } from "./steps.ts";

const ALL_WORDS = [
  ...["READY", "PING", "PING, address", "REGISTER", "INCREMENT", "DEREGISTER"],
  ...["another id", "other words"],
];

/** Which worker, in which condition, says what. */
const SAID: Readonly<Record<string, readonly string[]>> = {
  "stranger": [...ALL_WORDS, "a job's id"],
  "READY idle": ALL_WORDS,
  "READY busy": [...ALL_WORDS, "a job's id"],
  "READY owing": ["READY", "PING", "REGISTER", "other words"],
  "READY expired idle": ALL_WORDS,
  "READY out idle": ["READY", "PING", "PING, address", "REGISTER", "another id"],
  "READY out busy": ["READY", "PING", "REGISTER", "other words"],
  "REGISTER idle": ALL_WORDS,
  "REGISTER busy": [...ALL_WORDS, "a job's id"],
  "REGISTER expired idle": ALL_WORDS,
  "REGISTER out idle": ALL_WORDS,
  "REGISTER out busy": [
    ...["READY", "PING", "PING, address", "REGISTER", "INCREMENT", "DEREGISTER", "a job's id"],
  ],
  "REQ idle": ALL_WORDS,
  "REQ busy": [...ALL_WORDS, "a job's id"],
  "REQ owing": ["READY", "REGISTER", "another id"],
  "REQ out idle": ALL_WORDS,
  "REQ out busy": ["READY", "PING", "REGISTER", "a job's id"],
  "REP idle": ["another id"],
  "REP busy": ["a job's id", "another id"],
  "REP owing": ["another id"],
  "REP out busy": ["a job's id", "another id"],
};

/** What happens, by whom it happens to. */
const HAPPENED: Readonly<Record<string, readonly string[]>> = {
  "client": ["connected", "disconnected", "returned", "rejected BUSY", "rejected DUPLICATE"],
  "worker": ["joined", "registered", "deregistered", "expired", "disconnected"],
  "peer": ["paused", "resumed", "closed", "refused"],
  "job": [
    ...["accepted", "dispatched", "completed", "requeued", "cancelled"],
    ...["failed EXPIRED", "failed RESERVED", "failed NO_RESULT", "failed NO_COMMAND"],
    ...["failed WORKER_FAILED", "failed WORKER_LOST"],
  ],
  "dead": ["EXPIRED", "RESERVED", "NO_RESULT", "NO_COMMAND", "WORKER_FAILED", "WORKER_LOST"],
  "dropped": [
    ...["client gone", "nobody waits", "stale result", "forged result", "no envelope", "no body"],
    ...["unknown worker", "too many workers", "not understood", "unknown request", "bad credit"],
    ...["dead letters full"],
  ],
  "stranger refused": [
    ...["unknown", "slots", "address-in-use", "second-address", "too-many-workers", "socket-type"],
  ],
  "sent": [
    ...["body", "PONG", "EXIT", "REGISTERED", "REFUSED", "EXEC", "TRACKEXEC", "STREAM", "CREDIT"],
    ...["CANCEL", "ACCEPTED", "RESPONSE", "PARTIAL", "END", "ERROR"],
  ],
};

/** All of them, by name. */
export const EXPECTED: readonly string[] = [
  "unserved",
  ...new Set(DEEDS.map(([name]) => `step: ${name}`)),
  ...Object.entries(SAID).flatMap(([who, words]) => words.map((word) => `${who}: ${word}`)),
  ...Object.entries(HAPPENED).flatMap(([who, events]) => events.map((event) => `${who} ${event}`)),
];
