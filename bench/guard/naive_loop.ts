/**
 * Jobs through the naive model of the broker (tests/model), as `MemoryBroker` takes them through the
 * real one: a client hands them in, workers send them back and free their slots.
 *
 * @module
 */
import { CORE_SETTINGS } from "../../broker/core/settings.ts";
import { NaiveBroker } from "../../tests/model/naive_broker.ts";
import type { Attempt, NaiveClient } from "../../tests/model/naive_records.ts";

/** The model with one client and some workers. */
export class NaiveLoop {
  readonly #broker = new NaiveBroker(CORE_SETTINGS);
  readonly #client: NaiveClient;
  readonly #slots: number;
  #serial = 0;

  constructor(workers: number, slots: number) {
    this.#slots = slots;
    const broker = this.#broker;
    this.#client = broker.clients.connect("client", "")!;
    for (let i = 0; i < workers; i++) {
      broker.workers.connect(`w${i}`, "DEALER", "");
      broker.workers.speak(broker.workers.connections[i]!, ["", "REGISTER", `${slots}`, `w${i}`]);
    }
    broker.core.sent = new Map();
  }

  /** So many jobs with that body go all the way; gives how many answers came. */
  run(jobs: number, body: string): number {
    const { clients, core, workers } = this.#broker;
    for (let i = 0; i < jobs; i++) clients.submit(this.#client, [""], [body]);
    for (const connection of workers.connections) {
      const given = core.sent.get(connection.peer);
      if (given === undefined) continue;
      for (const [, attempt, ...rest] of given) {
        const id = (attempt as Attempt).id = `\0${String(this.#serial++).padStart(8, "0")}`;
        workers.speak(connection, ["", id, ...rest as string[]]);
        this.#broker.unblock();
      }
      if (given.length > this.#slots) throw new Error("Cannot measure: too many jobs");
      workers.speak(connection, ["", "INCREMENT", `${given.length}`, connection.peer]);
      this.#broker.unblock();
    }
    const answers = core.sent.get("client")?.length ?? 0;
    core.sent = new Map();
    return answers;
  }
}
