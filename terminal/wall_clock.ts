/**
 * The time of day, for people who read logs. Nothing is ever decided by it.
 *
 * @module
 */

/** The time of day, which may jump. */
export function timeOfDay(): Date {
  return new Date();
}
