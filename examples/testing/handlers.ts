/**
 * Handlers as a project may have them: they wait for somebody else, and they do what must not be
 * done twice. handlers_test.ts shows how to test such.
 *
 * @module
 */
import { type Job, JobError } from "../../mod.ts";

/** Who moves the money. A real one would be far away. */
export interface Bank {
  /** Whether an order is paid. */
  isPaid(order: string): Promise<boolean>;
  /** Moves money for an order; the same order again is not paid again. */
  charge(order: string, amount: number): Promise<void>;
}

/** How often somebody looks whether an order is paid. */
const LOOK_EVERY_MS = 60_000;

/** The handlers of a shop. */
export function shopHandlers(bank: Bank) {
  return {
    /** Charges an order. May run twice if a worker is lost: the order's number is the key. */
    async charge(job: Job<{ order: string; amount: number }>): Promise<{ attempt: number }> {
      const { order, amount } = job.json();
      if (!(amount > 0)) throw new JobError("BAD_AMOUNT", "An order costs something");
      await bank.charge(order, amount);
      return { attempt: job.attempt };
    },

    /** Waits until an order is paid, however long that takes or the client lets it. */
    async untilPaid(job: Job<{ order: string }>): Promise<string> {
      const { order } = job.json();
      while (!await bank.isPaid(order)) await pause(LOOK_EVERY_MS, job.signal);
      return "paid";
    },
  };
}

/** Waits for a time, or until the signal fires. */
function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    signal.throwIfAborted();
    const stop = () => {
      clearTimeout(timer);
      reject(signal.reason);
    };
    const timer = setTimeout(() => {
      signal.removeEventListener("abort", stop);
      resolve();
    }, milliseconds);
    signal.addEventListener("abort", stop, { once: true });
  });
}
