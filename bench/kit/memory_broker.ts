/**
 * The broker's whole way from octets to octets, with no socket: both faces and the core between them,
 * and peers that are buffers. Clients hand in what a wire would bring, workers send back what they
 * were given. For benchmarks; it checks only that nothing is missing.
 *
 * @module
 */
import { Backend } from "../../broker/backend.ts";
import type { Client } from "../../broker/core/client.ts";
import { Core } from "../../broker/core/core.ts";
import type { Journal } from "../../broker/core/decision.ts";
import type { Outlet } from "../../broker/core/outlet.ts";
import { CORE_SETTINGS, type CoreSettings } from "../../broker/core/settings.ts";
import type { WorkerConnection } from "../../broker/core/worker.ts";
import { Frontend } from "../../broker/frontend.ts";
import { WorkerMessages } from "../../broker/worker_messages.ts";
import { Budget } from "../../protocol/engine/budget.ts";
import { InputBuffer } from "../../protocol/zmtp/input_buffer.ts";
import { WIRE_LIMITS } from "../../protocol/zmtp/limits.ts";
import { MESSAGE, MessageReader } from "../../protocol/zmtp/message_reader.ts";
import { OutputBatch } from "../../protocol/zmtp/output_batch.ts";

const NO_IDENTITY = new Uint8Array(0);
const FIRST_BYTES = 4096;

const SILENT: Journal = {
  level: 0,
  dropped: (reason) => {
    throw new Error(`Cannot measure: ${reason}`);
  },
  dead: (_row, code) => {
    throw new Error(`Cannot measure: a job died of ${code}`);
  },
  worker: nothing,
  stranger: nothing,
  client: nothing,
  unserved: nothing,
  job: nothing,
  sized: nothing,
  because: nothing,
};

function nothing(): void {}

/** A connection that leads to a buffer. */
class BufferOutlet implements Outlet {
  readonly full = false;
  readonly paused = false;
  readonly canBePinged = true;
  readonly lastSeen = 0;
  readonly output: OutputBatch;

  constructor(memory: Budget) {
    this.output = new OutputBatch(memory, FIRST_BYTES);
  }

  batch(): OutputBatch {
    return this.output;
  }

  pause(): void {}
  resume(): void {}
  close(): void {}
}

/** One peer that is a worker. */
interface MemoryWorker {
  readonly connection: WorkerConnection;
  readonly outlet: BufferOutlet;
  /** INCREMENT for each number of jobs, as a wire brings it. */
  readonly increments: Uint8Array[];
}

/** A message as a wire brings it. */
export function wireOf(memory: Budget, ...frames: readonly (string | Uint8Array)[]): Uint8Array {
  const batch = new OutputBatch(memory, 64);
  const encoder = new TextEncoder();
  batch.message(frames.map((part) => typeof part === "string" ? encoder.encode(part) : part));
  return batch.bytes.slice(0, batch.length);
}

/** A broker with one client and some workers of the REGISTER dialogue, all in memory. */
export class MemoryBroker {
  readonly core: Core;
  readonly #memory = new Budget();
  readonly #frontend = new Frontend();
  readonly #backend: Backend;
  readonly #reader = new MessageReader(WIRE_LIMITS);
  readonly #input = new InputBuffer(this.#memory);
  readonly #client: Client;
  readonly #outlet = new BufferOutlet(this.#memory);
  readonly #workers: MemoryWorker[] = [];
  #now = 1;

  constructor(settings: Partial<CoreSettings> = {}) {
    const messages = new WorkerMessages();
    this.#backend = new Backend(messages);
    this.core = new Core({ ...CORE_SETTINGS, ...settings }, {
      toClients: this.#frontend,
      toWorkers: messages,
      journal: SILENT,
      seed: 1,
    });
    this.#frontend.attach(this.core);
    this.#backend.attach(this.core);
    messages.attach(this.core.state);
    this.#client = this.core.clients.connected(this.#outlet, NO_IDENTITY, this.#now)!;
  }

  /** One more worker with so many slots, before there is work. */
  addWorker(slots: number): void {
    if (!this.core.idle) throw new Error("Cannot add a worker: there are jobs");
    const outlet = new BufferOutlet(this.#memory);
    const connection = this.core.workers.connected(outlet, "DEALER", NO_IDENTITY, this.#now);
    const address = `worker ${this.#workers.length}`;
    const increments: Uint8Array[] = [];
    for (let count = 0; count <= slots; count++) {
      increments.push(wireOf(this.#memory, "", "INCREMENT", `${count}`, address));
    }
    this.#workers.push({ connection, outlet, increments });
    this.#tellBackend(connection, wireOf(this.#memory, "", "REGISTER", `${slots}`, address));
    outlet.output.length = outlet.output.messages = 0;
  }

  /** The client hands in what these octets say. */
  submit(wire: Uint8Array, length: number): void {
    const reader = this.#begin(wire, length);
    while (reader.next() === MESSAGE) this.#frontend.onMessage(this.#client, reader, this.#now);
  }

  /** Every worker sends back what it was given and frees its slots; gives how many jobs that were. */
  work(): number {
    this.#now++;
    let done = 0;
    for (const { connection, outlet, increments } of this.#workers) {
      const { output } = outlet;
      const jobs = output.messages;
      if (jobs === 0) continue;
      // What is written while this is read must not run into it.
      const wire = output.bytes.slice(0, output.length);
      output.length = output.messages = 0;
      const reader = this.#begin(wire, wire.length);
      while (reader.next() === MESSAGE) {
        this.#backend.onMessage(connection, reader, this.#now);
      }
      this.#tellBackend(connection, increments[jobs]!);
      done += jobs;
    }
    return done;
  }

  /** Takes what the client was told; gives how many answers that were. */
  collect(): number {
    const { output } = this.#outlet;
    const answers = output.messages;
    output.length = output.messages = 0;
    return answers;
  }

  #tellBackend(connection: WorkerConnection, wire: Uint8Array): void {
    const reader = this.#begin(wire, wire.length);
    while (reader.next() === MESSAGE) this.#backend.onMessage(connection, reader, this.#now);
  }

  #begin(wire: Uint8Array, length: number): MessageReader {
    const input = this.#input;
    input.bytes = wire;
    input.head = 0;
    input.tail = length;
    this.#reader.begin(input);
    return this.#reader;
  }
}

/** So many requests of a client with bodies of that many octets, as a wire brings them. */
export function requests(count: number, size: number): OutputBatch {
  const batch = new OutputBatch(new Budget(), FIRST_BYTES);
  const frames = [NO_IDENTITY, new Uint8Array(size).fill(97)];
  for (let i = 0; i < count; i++) batch.message(frames);
  return batch;
}
