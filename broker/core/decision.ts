/**
 * What the core decides, as calls: who is told what. The faces of the broker write these as
 * messages; a test may write them as lines. Everything given is valid until the call returns.
 *
 * @module
 */
import type { MessageView } from "../../protocol/zmtp/message_reader.ts";
import type { Client } from "./client.ts";
import type { DropReason } from "./counters.ts";
import type { Service } from "./services.ts";
import type { Worker, WorkerConnection } from "./worker.ts";

/** What clients are told. A row's client is connected when one of these is called. */
export interface ClientSink {
  /** Frames of a worker's message from `first` on answer an opaque job, as they came. */
  result(client: Client, row: number, message: MessageView, first: number): void;
  /** The same for a native job. */
  response(client: Client, row: number, message: MessageView, first: number): void;
  /** One chunk of a stream. */
  partial(client: Client, row: number, message: MessageView, first: number): void;
  /** The end of a stream. */
  end(client: Client, row: number): void;
  /** A native job ended without a result. */
  error(client: Client, row: number, code: Uint8Array, sentence: Uint8Array): void;
  /** A native job is in the broker's hands. */
  accepted(client: Client, row: number): void;
}

/** What workers are told. */
export interface WorkerSink {
  /** A job, in the form that suits the worker. */
  job(worker: Worker, row: number): void;
  /** The client doesn't want that job any more. For native workers alone. */
  cancel(worker: Worker, row: number): void;
  /** So many more chunks may come. For native workers alone. */
  credit(worker: Worker, row: number, count: number): void;
  /** The worker is in the table. */
  registered(worker: Worker): void;
  /** The broker lives. */
  pong(worker: Worker): void;
  /** The worker is to leave. */
  exit(worker: Worker): void;
}

/** What people are told. A level that is off costs its caller one comparison. */
export interface Journal {
  /** How much is told: 0 errors and drops, 1 comings, goings and jobs, 2 heartbeats, 3 sizes,
   * 4 decisions, 5 frames. */
  readonly level: number;
  /** Something came to nothing. Told at every level. */
  dropped(reason: DropReason, detail: string): void;
  /** A job became the dead letter of that id. Told at every level. */
  dead(row: number, code: string, id: number): void;
  /** Something happened to a worker. */
  worker(event: string, worker: Worker): void;
  /** Something happened to a connection of a worker that is in no table. */
  stranger(event: string, connection: WorkerConnection): void;
  /** Something happened to a client. */
  client(event: string, client: Client): void;
  /** A job waits for a service that no worker serves. */
  unserved(service: Service): void;
  /** Something happened to a job; the code says why it failed. */
  job(event: string, row: number, code?: string): void;
  /** How large the body of a job or of its result is on the wire. */
  sized(what: "job" | "result", row: number, octets: number): void;
  /** Why something was decided, about a job or in general. */
  because(reason: string, row?: number): void;
}
