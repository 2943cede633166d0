/**
 * Waiting, but not for ever.
 *
 * @module
 */
import type { Io } from "../../protocol/io/io.ts";

/** What a promise resolves to within so many milliseconds; undefined if it doesn't. */
export async function within<T>(
  io: Io,
  milliseconds: number,
  promise: Promise<T>,
): Promise<T | undefined> {
  const late = Promise.withResolvers<undefined>();
  const timer = io.setTimer(() => late.resolve(undefined), milliseconds);
  try {
    return await Promise.race([promise, late.promise]);
  } finally {
    io.clearTimer(timer);
  }
}
