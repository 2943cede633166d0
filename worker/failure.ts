/**
 * What is told of a handler that failed: a code that programs can compare and a sentence for people.
 * Pure.
 *
 * @module
 */
import { ERROR_SENTENCES } from "../protocol/dialogue/error_code.ts";

/** Characters of an error's message that are passed on. */
const MESSAGE_CHARS = 1000;
/** Characters of a code. */
const CODE_CHARS = 64;

/** Why a job has no result. */
export interface Failure {
  readonly code: string;
  readonly message: string;
}

/** Whether a text may be a code: capital letters, digits and underscores, which no log trips over. */
export function isCode(text: unknown): text is string {
  if (typeof text !== "string" || text.length === 0 || text.length > CODE_CHARS) return false;
  for (let i = 0; i < text.length; i++) {
    const c = text.charCodeAt(i);
    if (!(c >= 65 && c <= 90) && !(c >= 48 && c <= 57) && c !== 95) return false;
  }
  return true;
}

/**
 * Why a job failed, from what its handler threw. After its signal has fired, that is the reason: a
 * handler that stops for it may throw whatever it likes.
 */
export function failureOf(error: unknown, signal: AbortSignal): Failure {
  const { code, name } = asRecord(error);
  if (name === "JobError" && isCode(code)) return { code, message: messageOf(error) };
  if (signal.aborted) {
    const { name: why } = asRecord(signal.reason);
    const stopped = why === "TimeoutError" ? "EXPIRED" : "CANCELLED";
    return { code: stopped, message: messageOf(signal.reason) };
  }
  // The broker's own codes mean what the broker means; other codes, such as ENOENT, tell something.
  const own = isCode(code) && !Object.hasOwn(ERROR_SENTENCES, code);
  return { code: own ? code : "WORKER_FAILED", message: messageOf(error) };
}

function asRecord(value: unknown): { readonly code?: unknown; readonly name?: unknown } {
  return typeof value === "object" && value !== null ? value : {};
}

/** What an error says, in a length that fits. */
export function messageOf(error: unknown): string {
  const text = error instanceof Error ? error.message || error.name : textOf(error);
  return text.slice(0, MESSAGE_CHARS);
}

function textOf(value: unknown): string {
  try {
    return String(value);
  } catch {
    return "something that is no text was thrown";
  }
}
