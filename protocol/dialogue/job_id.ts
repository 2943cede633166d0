/**
 * Job ids as workers see them: an octet 0, the job's row, and a generation that is new for every
 * attempt. Finding a job by its id costs an array index; a stale or forged id doesn't fit.
 *
 * @module
 */

/** Octets of a job id. The first one is 0, so that an id is never a word of the dialogue. */
export const JOB_ID_BYTES = 9;

/** Writes an id at `at`. */
export function writeJobId(
  bytes: Uint8Array,
  at: number,
  row: number,
  generation: number,
): void {
  bytes[at] = 0;
  bytes[at + 1] = row >>> 24;
  bytes[at + 2] = row >>> 16;
  bytes[at + 3] = row >>> 8;
  bytes[at + 4] = row;
  bytes[at + 5] = generation >>> 24;
  bytes[at + 6] = generation >>> 16;
  bytes[at + 7] = generation >>> 8;
  bytes[at + 8] = generation;
}

/** Whether those octets have the form of an id. */
export function isJobId(bytes: Uint8Array, start: number, end: number): boolean {
  return end - start === JOB_ID_BYTES && bytes[start] === 0;
}

/** The row that an id names, which may be none that exists. */
export function jobRow(bytes: Uint8Array, start: number): number {
  return ((bytes[start + 1]! << 24) | (bytes[start + 2]! << 16) | (bytes[start + 3]! << 8) |
    bytes[start + 4]!) >>> 0;
}

/** The generation that an id names. */
export function jobGeneration(bytes: Uint8Array, start: number): number {
  return ((bytes[start + 5]! << 24) | (bytes[start + 6]! << 16) | (bytes[start + 7]! << 8) |
    bytes[start + 8]!) >>> 0;
}
