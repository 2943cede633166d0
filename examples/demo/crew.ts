/**
 * The workers of the demo, a thread each.
 *
 * @module
 */
import type { Orders } from "./worker.ts";

/** A thread with a worker in it. */
interface Hand {
  readonly address: string;
  readonly thread: Worker;
}

/** Workers in threads. */
export class Crew {
  readonly #hands: Hand[] = [];

  /** Starts so many; resolves when all are registered. */
  static async start(count: number, broker: string): Promise<Crew> {
    const crew = new Crew();
    await Promise.all(
      Array.from({ length: count }, (_, i) => crew.#join(broker, `worker-${i + 1}`)),
    );
    return crew;
  }

  /** Ends one at once, in the middle of whatever it does: the thread is gone, nothing is said. */
  end(address: string): void {
    const at = this.#hands.findIndex((hand) => hand.address === address);
    const [hand] = at < 0 ? [] : this.#hands.splice(at, 1);
    hand?.thread.terminate();
  }

  /** All leave in order. */
  async leave(): Promise<void> {
    await Promise.all(this.#hands.splice(0).map(({ thread }) => answerOf(thread, "leave")));
  }

  async #join(broker: string, address: string): Promise<void> {
    const thread = new Worker(new URL("./worker.ts", import.meta.url), { type: "module" });
    this.#hands.push({ address, thread });
    await answerOf(thread, { broker, address });
  }
}

/** Tells a thread something and waits for its answer. */
function answerOf(thread: Worker, message: Orders | "leave"): Promise<void> {
  return new Promise((resolve, reject) => {
    thread.onmessage = () => resolve();
    thread.onerror = (event) => {
      event.preventDefault();
      reject(new Error(event.message));
    };
    thread.postMessage(message);
  });
}
