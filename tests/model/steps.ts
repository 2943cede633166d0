/**
 * Random steps for two brokers side by side: a number says what happens next, to whom, and how. What
 * makes no sense at the moment happens to nobody.
 *
 * @module
 */
import type { Request } from "./naive_clients.ts";
import { SIG } from "./naive_core.ts";
import type { NaiveClient, NaiveConnection, NaiveJob, NaiveWorker } from "./naive_records.ts";
import type { Twins } from "./twins.ts";

/** Peers of each kind at a time: few, so that they meet. */
const MOST_PEERS = 5;
const ENVELOPES: readonly (readonly string[])[] = [[""], ["p", ""], []];
const WAITS = [1, 10, 100, 499, 500, 501, 999, 1000, 1001, 2000, 2999, 3000, 4000, 5000, 9000];
const SERVICES = [undefined, undefined, "a", "b", "default"];
const LONG_REPLY = "x".repeat(200);

/** The three numbers that say how. */
interface Dice {
  readonly a: number;
  readonly b: number;
  readonly c: number;
}

/** One run. */
export class Steps {
  readonly #twins: Twins;
  readonly #requests: string[] = [];
  #names = 0;
  #bodies = 0;

  constructor(twins: Twins) {
    this.#twins = twins;
  }

  /** Does what the number says; gives the name of that step. */
  do(number: number): string {
    const [name, deed] = DEEDS[number % DEEDS.length]!;
    const rest = Math.floor(number / DEEDS.length);
    deed.call(this, { a: rest & 255, b: (rest >>> 8) & 255, c: (rest >>> 16) & 255 });
    this.#twins.compare();
    return name;
  }

  clientConnects({ a, b }: Dice): void {
    if (this.#clients.length >= MOST_PEERS) return;
    this.#twins.connectClient(`c${++this.#names}`, ["", "", "me", "you"][(a ^ b) % 4]!);
  }

  clientLeaves({ a }: Dice): void {
    const client = pick(this.#clients, a);
    if (client !== undefined) this.#twins.clientLeaves(client);
  }

  submits({ a, b, c }: Dice): void {
    const client = pick(this.#talkers, a);
    if (client === undefined) return;
    const body = b % 16 === 0 ? ["EXIT"] : [`j${++this.#bodies}`, ...(b % 3 === 0 ? [""] : [])];
    const envelope = ENVELOPES[c % 2]!;
    this.#twins.submit(client, b % 3 !== 0 && b % 16 !== 0 ? ENVELOPES[c % 3]! : envelope, body);
  }

  requests({ a, b, c }: Dice): void {
    const client = pick(this.#talkers, a);
    if (client === undefined) return;
    const id = `r${++this.#bodies}`.padEnd(16, ".");
    this.#requests.push(id);
    this.#twins.request(client, ENVELOPES[b % 2]!, this.#ask(id, b, c));
  }

  #ask(id: string, b: number, c: number): Request {
    return {
      kind: (["EXEC", "TRACKEXEC", "TRACKEXEC", "STREAM"] as const)[b % 4]!,
      id,
      command: c % 16 === 0 ? "PONG" : `j${this.#bodies}`,
      payload: c % 3 === 0 ? [] : ["payload"],
      service: SERVICES[(b >> 2) % SERVICES.length],
      ttl: c % 7 === 1 ? [0, 400, 2000][b % 3] : undefined,
      timeout: c % 7 === 2 ? [0, 900, 5000][b % 3] : undefined,
      accept: c % 5 === 0,
    };
  }

  repeats({ a, b, c }: Dice): void {
    const client = pick(this.#talkers, a);
    const id = this.#requests.at(-1 - b % 12);
    if (client === undefined || id === undefined) return;
    this.#twins.request(client, ENVELOPES[c % 2]!, {
      ...{ kind: "TRACKEXEC", id, command: "again", payload: [] },
      accept: c % 3 === 0,
    });
  }

  cancels({ a, b }: Dice): void {
    const client = pick(this.#talkers, a);
    if (client === undefined) return;
    const own = client.jobs.filter((job) => job.request !== "" && job.state !== "dead");
    const id = b % 8 === 0 ? this.#requests.at(-1) : pick(own, b)?.request;
    if (id !== undefined) this.#twins.cancel(client, id);
  }

  credits({ a, b, c }: Dice): void {
    const streaming = this.#talkers.filter((one) => one.jobs.some(isStream));
    const client = pick(b % 8 === 0 ? this.#talkers : streaming, a);
    if (client === undefined) return;
    const id = b % 8 === 0 ? this.#requests.at(-1) : pick(client.jobs.filter(isStream), b)?.request;
    if (id !== undefined) this.#twins.credit(client, id, 1 + c % 3);
  }

  clientStopsReading({ a }: Dice): void {
    const client = pick(this.#clients.filter(({ full }) => !full), a);
    if (client !== undefined) this.#twins.setClientFull(client, true);
  }

  clientReadsAgain({ a }: Dice): void {
    const client = pick(this.#clients.filter(({ full }) => full), a);
    if (client !== undefined) this.#twins.setClientFull(client, false);
  }

  workerConnects({ a, b }: Dice): void {
    if (this.#connections.length >= MOST_PEERS) return;
    const type = ["DEALER", "DEALER", "DEALER", "DEALER", "REQ", "REP"][a % 6]!;
    this.#twins.connectWorker(`w${++this.#names}`, type, ["", "", "", "here", "there"][b % 5]!);
  }

  workerLeaves({ a }: Dice): void {
    const connection = pick(this.#connections, a);
    if (connection !== undefined) this.#twins.workerLeaves(connection);
  }

  ready({ a, b, c }: Dice): void {
    this.#speak(a, b, c, ["READY"]);
  }

  ping({ a, b, c }: Dice): void {
    this.#speak(a, b, c, c % 3 === 0 ? ["PING", ADDRESSES[b % ADDRESSES.length]!] : ["PING"]);
  }

  pingsAgain({ a }: Dice): void {
    const known = this.#speakers.filter(({ state }) => state === "expired" || state === "out");
    const worker = pick(known, a);
    if (worker === undefined) return;
    const words = worker.dialect === "REGISTER" ? ["PING", worker.address] : ["PING"];
    this.#twins.speak(worker.connection, [...worker.envelope, ...words]);
  }

  register({ a, b, c }: Dice): void {
    const options: string[] = [];
    if (b % 3 === 0) options.push("service=a");
    if (b % 5 === 0) options.push("service=default");
    if (b % 7 === 0) options.push("service=b");
    if (c % 4 === 0) options.push("heartbeat=working");
    if (c % 2 === 0) options.push("rota=1");
    const slots = b % 32 === 0 ? "0" : String(1 + c % 3);
    const known = c % 3 === 0 ? pick(this.#speakers.filter(isRegistered), a) : undefined;
    if (known !== undefined) {
      const words = ["REGISTER", slots, ...options, known.address];
      return this.#twins.speak(known.connection, [...known.envelope, ...words]);
    }
    this.#speak(a, b, c, ["REGISTER", slots, ...options, ADDRESSES[c % ADDRESSES.length]!]);
  }

  increment({ a, b, c }: Dice): void {
    if (b % 16 === 0) return this.#speak(a, b, c, ["INCREMENT", ADDRESSES[0]!]);
    const worker = pick(this.#speakers.filter(isRegistered), a);
    if (worker === undefined) return;
    const count = b % 3 === 0 ? [String(c % 4)] : [];
    this.#twins.speak(
      worker.connection,
      [...worker.envelope, "INCREMENT", ...count, worker.address],
    );
  }

  deregister({ a }: Dice): void {
    const worker = pick(this.#speakers.filter(isRegistered), a);
    if (worker === undefined) return;
    this.#twins.speak(
      worker.connection,
      [...worker.envelope, "DEREGISTER", worker.address],
    );
  }

  /** A worker answers one of its jobs, whatever its dialect. */
  answers({ a, b, c }: Dice): void {
    const worker = pick(this.#speakers.filter(isBusy), a);
    if (worker === undefined) return;
    const job = pick(worker.running, b);
    const reply = c % 32 === 0 ? [] : c % 16 === 0 ? [LONG_REPLY] : [`done ${c % 4}`];
    const native = worker.native && c % 2 === 0 ? [SIG, "RESPONSE"] : [];
    this.#reply(worker, job, [...native, ...reply]);
  }

  /** A native worker goes on with one of its jobs. */
  streams({ a, b, c }: Dice): void {
    const native = this.#speakers.filter((one) => one.native && one.running.length > 0);
    const worker = pick(native, a);
    if (worker === undefined) return;
    const streams = worker.running.filter((job) => job.kind === "STREAM" && job.credit > 0);
    const job = pick(c % 4 < 3 && streams.length > 0 ? streams : worker.running, b)!;
    const word = c % 4 < 3 ? ["PARTIAL", "chunk"] : NATIVE_WORDS[b % NATIVE_WORDS.length]!;
    this.#reply(worker, job, [SIG, ...word]);
  }

  /** A result that isn't due: of another worker, of an earlier attempt, or twice. */
  answersLate({ a, b, c }: Dice): void {
    const connection = pick(this.#listeners, a);
    const id = pick(this.#twins.ids, b);
    if (connection === undefined || id === undefined) return;
    if (connection.type === "REP") return this.#twins.speak(connection, [id, "", "late"]);
    this.#speak(a, b, c, [id, "", "late"]);
  }

  talksNonsense({ a, b, c }: Dice): void {
    const words = [["what?"], ["PING", "a", "b"], ["REGISTER"], ["DEREGISTER", "nobody"]];
    if (b % 8 === 0) return this.#speakBare(a);
    this.#speak(a, b, c, words[b % words.length]!);
  }

  waits({ a }: Dice): void {
    this.#twins.advance(WAITS[a % WAITS.length]!);
  }

  waitsLittle({ a }: Dice): void {
    this.#twins.advance(1 + a % 20);
  }

  standsStill({ a }: Dice): void {
    this.#twins.standStill(WAITS[a % WAITS.length]!);
  }

  retries({ a }: Dice): void {
    const letter = pick(this.#twins.model.core.letters, a);
    if (letter !== undefined) this.#twins.retry(letter.id);
  }

  dropsLetter({ a }: Dice): void {
    const letter = pick(this.#twins.model.core.letters, a);
    if (letter !== undefined) this.#twins.drop(letter.id);
  }

  exits({ a, b }: Dice): void {
    const connection = pick(this.#connections.filter((one) => one.workers.length > 0), a);
    if (connection === undefined) return;
    const index = b % connection.workers.length;
    if (connection.workers[index]!.state === "in") this.#twins.exit(connection, index);
  }

  stopsReading({ a }: Dice): void {
    const connection = pick(this.#connections.filter(({ full }) => !full), a);
    if (connection !== undefined) this.#twins.setFull(connection, true);
  }

  readsAgain({ a }: Dice): void {
    const connection = pick(this.#connections.filter(({ full }) => full), a);
    if (connection !== undefined) this.#twins.setFull(connection, false);
  }

  isStarved({ a }: Dice): void {
    const connection = pick(this.#connections.filter(({ unread }) => !unread), a);
    if (connection !== undefined) this.#twins.setUnread(connection, true);
  }

  isFed({ a }: Dice): void {
    const connection = pick(this.#connections.filter(({ unread }) => unread), a);
    if (connection !== undefined) this.#twins.setUnread(connection, false);
  }

  get #clients(): NaiveClient[] {
    return this.#twins.model.clients.all.filter(({ away }) => !away);
  }

  get #talkers(): NaiveClient[] {
    return this.#clients.filter(({ pausedBy }) => pausedBy.size === 0);
  }

  get #connections(): NaiveConnection[] {
    return this.#twins.model.workers.connections;
  }

  get #listeners(): NaiveConnection[] {
    return this.#connections.filter(({ unread }) => !unread);
  }

  get #speakers(): NaiveWorker[] {
    return this.#listeners.flatMap(({ workers }) => workers);
  }

  /** Somebody says that, by an envelope of its own. A REP can only reply. */
  #speak(a: number, b: number, c: number, words: readonly string[]): void {
    const connection = pick(this.#listeners.filter(({ type }) => type !== "REP"), a);
    if (connection === undefined) return;
    const envelope = connection.type === "REQ" ? [`q${c % 4}`, ""] : CHILDREN[b % 6]!;
    this.#twins.speak(connection, [...envelope, ...words]);
  }

  #speakBare(a: number): void {
    const connection = pick(this.#listeners.filter(({ type }) => type !== "REP"), a);
    if (connection !== undefined) {
      this.#twins.speak(connection, a % 2 === 0 ? ["READY"] : ["x", ""]);
    }
  }

  #reply(worker: NaiveWorker, job: NaiveJob | undefined, frames: readonly string[]): void {
    const id = worker.dialect === "READY" ? [] : [job?.attempt?.id ?? this.#twins.ids[0]!, ""];
    const body = [...id, ...frames];
    if (body.length > 0) this.#twins.speak(worker.connection, [...worker.envelope, ...body]);
  }
}

const ADDRESSES = ["x", "y", "z"];
const CHILDREN: readonly (readonly string[])[] = [[""], [""], [""], ["k1", ""], ["k2", ""], [
  "k3",
  "",
]];
const NATIVE_WORDS: readonly (readonly string[])[] = [
  ["END"],
  ["END"],
  ["ERROR", "BROKEN", "it broke"],
  ["ERROR", "NO_COMMAND", "what is that?"],
  ["WHAT"],
  [],
];

/** What may happen, as often as it stands here. */
export const DEEDS: readonly (readonly [string, (this: Steps, dice: Dice) => void])[] = ([
  [4, "client connects", Steps.prototype.clientConnects],
  [2, "client leaves", Steps.prototype.clientLeaves],
  [13, "client submits", Steps.prototype.submits],
  [15, "client requests", Steps.prototype.requests],
  [4, "client repeats", Steps.prototype.repeats],
  [3, "client cancels", Steps.prototype.cancels],
  [5, "client gives credit", Steps.prototype.credits],
  [1, "client stops reading", Steps.prototype.clientStopsReading],
  [3, "client reads again", Steps.prototype.clientReadsAgain],
  [6, "worker connects", Steps.prototype.workerConnects],
  [2, "worker leaves", Steps.prototype.workerLeaves],
  [6, "worker is ready", Steps.prototype.ready],
  [4, "worker pings", Steps.prototype.ping],
  [3, "worker pings again", Steps.prototype.pingsAgain],
  [7, "worker registers", Steps.prototype.register],
  [9, "worker increments", Steps.prototype.increment],
  [1, "worker deregisters", Steps.prototype.deregister],
  [22, "worker answers", Steps.prototype.answers],
  [7, "worker streams", Steps.prototype.streams],
  [3, "worker answers late", Steps.prototype.answersLate],
  [2, "worker talks nonsense", Steps.prototype.talksNonsense],
  [5, "time passes", Steps.prototype.waits],
  [6, "a little time passes", Steps.prototype.waitsLittle],
  [1, "broker stands still", Steps.prototype.standsStill],
  [2, "operator retries", Steps.prototype.retries],
  [1, "operator drops", Steps.prototype.dropsLetter],
  [2, "operator exits", Steps.prototype.exits],
  [1, "worker stops reading", Steps.prototype.stopsReading],
  [2, "worker reads again", Steps.prototype.readsAgain],
  [1, "worker is starved", Steps.prototype.isStarved],
  [2, "worker is fed", Steps.prototype.isFed],
] as const).flatMap(([often, name, deed]) => Array(often).fill([name, deed]));

/** The one of that number, all around; undefined of none. */
function pick<T>(list: readonly T[], number: number): T | undefined {
  return list.length === 0 ? undefined : list[number % list.length];
}

function isStream(job: NaiveJob): boolean {
  return job.kind === "STREAM" && job.state !== "dead";
}

function isRegistered(worker: NaiveWorker): boolean {
  return worker.dialect === "REGISTER";
}

function isBusy(worker: NaiveWorker): boolean {
  return worker.running.length + worker.owed > 0;
}
