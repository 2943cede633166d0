/**
 * Two brokers side by side: the real one and the naive model. Whatever happens to one happens to the
 * other; then all that they said, did and counted is compared, and how their tables stand.
 *
 * @module
 */
import { AssertionError } from "@std/assert";
import { checkEmpty, checkInvariants } from "../kit/invariants.ts";
import { PureBroker } from "../kit/pure_broker.ts";
import { framesOf, type Request } from "./naive_clients.ts";
import { NaiveBroker } from "./naive_broker.ts";
import { SIG } from "./naive_core.ts";
import { conditionOf, sentWord, wordOf } from "./transitions.ts";
import type { Frame, ModelSettings, NaiveClient, NaiveConnection } from "./naive_records.ts";

const JOB_ID_BYTES = 9;

/** Both brokers. */
export class Twins {
  readonly real: PureBroker;
  readonly model: NaiveBroker;
  /** Told what happens, if somebody wants to know. */
  log: ((line: string) => void) | undefined;
  onEvent: ((event: string) => void) | undefined;
  /** Ids that were ever given to an attempt. */
  readonly ids: string[] = [];

  constructor(settings: ModelSettings) {
    this.real = new PureBroker(settings);
    this.model = new NaiveBroker(settings);
  }

  connectClient(name: string, identity: string): void {
    this.log?.(`${name} connects as a client "${identity}"`);
    this.model.clients.connect(name, identity);
    this.real.connectClient({ name, type: "DEALER", identity: bytes(identity) });
  }

  connectWorker(name: string, type: string, identity: string): void {
    this.log?.(`${name} connects as a ${type} "${identity}"`);
    this.model.workers.connect(name, type, identity);
    this.real.connectWorker({ name, type, identity: bytes(identity) });
  }

  clientLeaves(client: NaiveClient): void {
    this.log?.(`${client.peer} leaves`);
    this.model.clients.leave(client);
    this.real.leave(client.peer);
  }

  workerLeaves(connection: NaiveConnection): void {
    this.log?.(`${connection.peer} leaves`);
    this.model.workers.leave(connection);
    this.real.leave(connection.peer);
  }

  submit(client: NaiveClient, envelope: readonly string[], body: readonly string[]): void {
    this.model.clients.submit(client, envelope, body);
    this.#say(client.peer, [...envelope, ...body]);
  }

  request(client: NaiveClient, envelope: readonly string[], request: Request): void {
    this.model.clients.request(client, envelope, request);
    this.#say(client.peer, framesOf(envelope, request));
  }

  cancel(client: NaiveClient, id: string): void {
    this.model.clients.cancel(client, id);
    this.#say(client.peer, ["", SIG, "CANCEL", id]);
  }

  credit(client: NaiveClient, id: string, count: number): void {
    this.model.clients.credit(client, id, count);
    this.#say(client.peer, ["", SIG, "CREDIT", id, String(count)]);
  }

  speak(connection: NaiveConnection, frames: readonly string[]): void {
    const envelope = frames.slice(0, frames.indexOf("") + 1).join();
    const alone = connection.type === "REP" || connection.type === "REQ";
    const worker = connection.workers.find((one) => alone || one.envelope.join() === envelope);
    this.onEvent?.(`${conditionOf(worker)}: ${wordOf(connection, frames)}`);
    this.model.workers.speak(connection, frames);
    this.#say(connection.peer, frames);
  }

  setFull(connection: NaiveConnection, full: boolean): void {
    this.log?.(`${connection.peer} ${full ? "stops reading" : "reads again"}`);
    connection.full = full;
    if (!full) this.model.workers.roomy(connection);
    this.real.setFull(connection.peer, full);
  }

  setClientFull(client: NaiveClient, full: boolean): void {
    this.log?.(`${client.peer} ${full ? "stops reading" : "reads again"}`);
    this.model.clients.setFull(client, full);
    this.real.setFull(client.peer, full);
  }

  setUnread(connection: NaiveConnection, unread: boolean): void {
    this.log?.(`${connection.peer} is ${unread ? "starved" : "fed"}`);
    connection.unread = unread;
    this.real.setStarved(connection.peer, unread);
  }

  retry(id: number): void {
    this.log?.(`operator retries ${id}`);
    this.model.retry(id);
    this.real.act((core, now) => core.retry(id, now));
  }

  drop(id: number): void {
    this.log?.(`operator drops ${id}`);
    this.model.drop(id);
    this.real.act((core, now) => core.drop(id, now));
  }

  /** Tells the worker at that place of a connection to leave. */
  exit(connection: NaiveConnection, index: number): void {
    this.log?.(`operator exits ${connection.peer} ${index}`);
    const worker = [...this.real.peers.get(connection.peer)!.connection!.workers.values()][index]!;
    this.model.workers.exit(connection.workers[index]!);
    this.real.act((core, now) => core.exit(worker, now));
  }

  advance(ms: number): void {
    this.log?.(`wait ${ms} ms`);
    this.model.advance(this.model.core.now + ms);
    this.real.advance(this.real.now + ms);
  }

  standStill(ms: number): void {
    this.log?.(`stand still ${ms} ms`);
    this.model.standStill(ms);
    this.real.standStill(ms);
  }

  /** Everybody leaves, time passes, dead letters go: nothing is left. */
  end(): void {
    const { clients, workers, core } = this.model;
    for (const connection of [...workers.connections]) {
      this.workerLeaves(connection);
      this.compare();
    }
    for (const client of clients.all.filter(({ away }) => !away)) {
      this.clientLeaves(client);
      this.compare();
    }
    this.advance(core.settings.clientGrace + core.settings.finishedTime + 2000);
    // An EXEC outlives everybody: a worker comes and runs it.
    this.connectWorker("last", "DEALER", "");
    for (let rounds = 0; core.waiting > 0 || core.letters.length > 0; rounds++) {
      if (rounds > 100) throw new AssertionError("it never ends");
      this.#runOut();
    }
    this.workerLeaves(workers.connections[0]!);
    this.advance(core.settings.finishedTime + 2000);
    this.compare();
    checkEmpty(this.real.core);
  }

  #runOut(): void {
    const { workers, core } = this.model;
    const [last] = workers.connections;
    for (const { id } of [...core.letters]) this.drop(id);
    const services = [...core.backlogs.keys()].map((service) => `service=${service}`);
    this.speak(last!, ["", "REGISTER", "99", ...services, "last"]);
    this.compare();
    for (const job of [...last!.workers[0]!.running]) {
      this.speak(last!, ["", job.attempt!.id!, "", "done"]);
    }
    this.compare();
  }

  /** Compares all that can be seen; throws at the first difference. */
  compare(): void {
    this.model.unblock();
    this.#compareEffects();
    this.#compareCounts();
    this.#compareTables();
    checkInvariants(this.real.core);
  }

  #say(name: string, frames: readonly string[]): void {
    this.log?.(`${name}: ${JSON.stringify(frames)}`);
    this.real.say(name, frames.map(bytes));
  }

  #compareEffects(): void {
    const { core } = this.model;
    const sent = new Map<string, string[][]>();
    const deeds: string[] = [];
    for (const effect of this.real.takeEffects()) {
      if (effect.what === "sent") {
        this.log?.(`    -> ${effect.peer}: ${JSON.stringify(effect.frames.map(text))}`);
        this.onEvent?.(`sent ${sentWord(effect.frames.map(text))}`);
        const list = sent.get(effect.peer) ?? [];
        sent.set(effect.peer, list);
        list.push(effect.frames.map(text));
      } else if ("peer" in effect) {
        this.log?.(`    ${effect.what} ${effect.peer}`);
        this.onEvent?.(`peer ${effect.what}`);
        deeds.push(`${effect.what} ${effect.peer}`);
      }
    }
    for (const peer of new Set([...sent.keys(), ...core.sent.keys()])) {
      this.#compareMessages(peer, sent.get(peer) ?? [], core.sent.get(peer) ?? []);
    }
    same("deeds", deeds.sort().join(), core.deeds.sort().join());
    core.sent = new Map();
    core.deeds = [];
  }

  #compareMessages(peer: string, real: string[][], model: Frame[][]): void {
    const show = () =>
      `to ${peer}\nreal ${JSON.stringify(real)}\nmodel ${JSON.stringify(model.map(named))}`;
    if (real.length !== model.length) throw new AssertionError(show());
    real.forEach((frames, i) => {
      const expected = model[i]!;
      if (frames.length !== expected.length) throw new AssertionError(show());
      frames.forEach((frame, j) => {
        if (!this.#fits(frame, expected[j]!)) throw new AssertionError(show());
      });
    });
  }

  /** Whether a frame is the expected one; the id of a new attempt is learnt, and must be new. */
  #fits(frame: string, expected: Frame): boolean {
    if (typeof expected === "string") return frame === expected;
    if (expected.id !== undefined) return frame === expected.id;
    const isNew = frame.length === JOB_ID_BYTES && frame[0] === "\0" && !this.ids.includes(frame);
    expected.id = frame;
    this.ids.push(frame);
    return isNew;
  }

  #compareCounts(): void {
    const { counters } = this.real.core.state;
    const real = new Map<string, number>();
    for (const [name, value] of Object.entries(counters)) {
      if (typeof value === "number" && value > 0) real.set(name, value);
    }
    for (const [reason, count] of counters.dropped) real.set(`dropped ${reason}`, count);
    for (const [code, count] of counters.errors) real.set(`error ${code}`, count);
    const { counts } = this.model.core;
    for (const name of new Set([...real.keys(), ...counts.keys()])) {
      same(name, real.get(name) ?? 0, counts.get(name) ?? 0);
    }
  }

  /** The order of the tables, the lengths of the backlogs, workers one by one, dead letters. */
  #compareTables(): void {
    const { core, workers } = this.model;
    const { state } = this.real.core;
    for (const service of state.services) {
      const name = text(service.name);
      const real = [...service.ring].map(({ worker }) => this.#nameOf(worker));
      const model = core.table(name).map((worker) => {
        return `${worker.connection.peer} ${worker.connection.workers.indexOf(worker)}`;
      });
      same(`order of ${name}`, real.join(), model.join());
      same(`backlog of ${name}`, service.backlog.length, core.backlog(name).length);
    }
    const real = state.workers.filter((worker) => worker !== undefined).map((worker) =>
      `${this.#nameOf(worker)} ${worker.dialect} ${worker.state} ${worker.free}/` +
      `${worker.capacity} ${worker.running.length}+${worker.owed}`
    );
    const model = workers.all.map((worker) =>
      `${worker.connection.peer} ${worker.connection.workers.indexOf(worker)} ${worker.dialect} ` +
      `${worker.state} ${worker.free}/${worker.capacity} ${worker.running.length}+${worker.owed}`
    );
    same("workers", real.sort().join(), model.sort().join());
    const letters = [...state.dead].map(({ id, code }) => `${id} ${code}`);
    same("dead letters", letters.join(), core.letters.map((l) => `${l.id} ${l.code}`).join());
  }

  #nameOf(worker: { connection: object; envelopeKey: string }): string {
    for (const { name, connection } of this.real.peers.values()) {
      if (connection !== worker.connection) continue;
      return `${name} ${[...connection!.workers.keys()].indexOf(worker.envelopeKey)}`;
    }
    throw new AssertionError("a worker without a connection");
  }
}

function same(what: string, real: unknown, model: unknown): void {
  if (real === model) return;
  throw new AssertionError(`${what}\nreal  ${real}\nmodel ${model}`);
}

function named(frames: Frame[]): string[] {
  return frames.map((frame) => typeof frame === "string" ? frame : frame.id ?? "<new id>");
}

function bytes(text: string): Uint8Array {
  return Uint8Array.from(text, (letter) => letter.charCodeAt(0));
}

function text(bytes: Uint8Array): string {
  let text = "";
  for (const octet of bytes) text += String.fromCharCode(octet);
  return text;
}
