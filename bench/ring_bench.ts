/**
 * The worker table alone: what it costs to find whose turn it is, with few workers and with many.
 * The time of a job should grow with the logarithm of their number, and not with the number.
 *
 * @module
 */
import { emptySeat, Ring, type Seat } from "../broker/core/ring.ts";

/** Jobs in one iteration: one alone would be too short for the clock. */
const JOBS = 1_000;

const SIZES: readonly number[] = [10, 1_000, 10_000];

/** A ring of that many seats, all of them busy, or all free. */
function ringOf(count: number, eligible: boolean): { ring: Ring<Seat>; seats: Seat[] } {
  const ring = new Ring<Seat>();
  const seats = Array.from({ length: count }, () => ({ ...emptySeat(), eligible }));
  for (const seat of seats) ring.add(seat);
  return { ring, seats };
}

/** Whose turn it is next, and that it had its turn. */
function take(ring: Ring<Seat>): Seat {
  const seat = ring.first();
  if (seat === undefined) throw new Error("Cannot measure: nobody is free");
  ring.pass(seat);
  return seat;
}

for (const count of SIZES) {
  const { ring, seats } = ringOf(count, false);
  // A prime stride: the free seat stands far from the top, and elsewhere each time.
  let place = 0;
  Deno.bench({
    name: `one of ${count} workers is free`,
    group: `${JOBS} jobs, all others busy`,
    fn() {
      for (let i = 0; i < JOBS; i++) {
        place = (place + 7919) % count;
        ring.setEligible(seats[place]!, true);
        ring.setEligible(take(ring), false);
      }
    },
  });
}

for (const count of SIZES) {
  const { ring } = ringOf(count, true);
  Deno.bench({
    name: `${count} workers with slots`,
    group: `${JOBS} jobs, all free`,
    fn() {
      for (let i = 0; i < JOBS; i++) {
        const seat = take(ring);
        ring.setEligible(seat, false);
        ring.setEligible(seat, true);
      }
    },
  });
}

for (const count of SIZES) {
  const { ring } = ringOf(count, true);
  Deno.bench({
    name: `${count} READY workers`,
    group: `${JOBS} jobs, who works leaves the ring`,
    fn() {
      for (let i = 0; i < JOBS; i++) {
        const seat = take(ring);
        ring.remove(seat);
        ring.add(seat);
      }
    },
  });
}
