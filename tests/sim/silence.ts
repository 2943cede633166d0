/**
 * Nobody stays in the table who should have been heard of and wasn't: a worker that must ping leaves
 * it within twice the time to expire, unless the broker itself stood still or didn't read it.
 *
 * @module
 */
import type { Core } from "../../broker/core/core.ts";
import type { Worker } from "../../broker/core/worker.ts";
import type { Hosts } from "./hosts.ts";
import type { SimProcess } from "./process.ts";
import type { Stage } from "./stage.ts";

/** How much later than that a look may be. */
const SLACK_MS = 1500;

/** Looks at the workers of one broker. */
export class SilenceCheck {
  readonly #stage: Stage;
  readonly #broker: SimProcess;
  readonly #core: Core;
  readonly #hosts: Hosts;
  /** Since when each worker has been obliged to ping, and was read. */
  readonly #since: WeakMap<Worker, number> = new WeakMap();

  constructor(stage: Stage, broker: SimProcess, core: Core, hosts: Hosts) {
    this.#stage = stage;
    this.#broker = broker;
    this.#core = core;
    this.#hosts = hosts;
  }

  /** Looks at all of them. */
  look(): void {
    const { findings, network: { now } } = this.#stage;
    const { state } = this.#core;
    const most = 2 * state.settings.workerExpire + SLACK_MS;
    for (const worker of state.workers) {
      if (worker === undefined) continue;
      if (!shouldPing(worker) || worker.connection.outlet.paused || worker.unread) {
        this.#since.delete(worker);
        continue;
      }
      const since = this.#since.get(worker) ?? now;
      this.#since.set(worker, since);
      const silent = now - Math.max(since, worker.lastSeen, this.#broker.wokeAt);
      findings.expect(
        "a silent worker leaves the table",
        silent < most,
        () => `${this.#hosts.ofWorker(worker)} was silent for ${silent} ms`,
      );
    }
  }
}

/** An idle READY worker, an idle REGISTER worker that has pinged, one that pings while it works. */
function shouldPing({ state, dialect, running, owed, pings, pingsWorking }: Worker): boolean {
  if (state !== "in") return false;
  if (pingsWorking) return true;
  if (running.length + owed > 0) return false;
  return dialect === "READY" || (dialect === "REGISTER" && pings);
}
