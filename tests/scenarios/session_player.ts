/**
 * Plays a worker's session from a transcript: a line for each event and its time, and below it, with a
 * deeper margin, what came of it. Between two events the session is asked at each time that it wanted
 * to be asked at.
 *
 * | event | |
 * |---|---|
 * | `0 opened`, `0 closed`, `0 registers`, `0 deregisters` | what its name says |
 * | `0 hears ["", PONG]` | the broker said that |
 * | `0 answers <job 1> [SIG, RESPONSE, "x"]`, `0 gives ["x"]` | an answer, a READY worker's result |
 * | `0 finishes 2` | so many jobs are over in one turn |
 * | `9 passes` | time goes on until then; what falls due on the way stands below |
 * | `9 wakes` | the process stood still until then |
 *
 * @module
 */
import { frameOf } from "../../protocol/dialogue/words.ts";
import type { MessageView } from "../../protocol/zmtp/message_reader.ts";
import { Session } from "../../worker/session/session.ts";
import type { SessionSettings, SessionSink } from "../../worker/session/sink.ts";
import { ViewMaker } from "../kit/messages.ts";
import { differenceOf } from "./difference.ts";
import { Notation } from "./notation.ts";

/** What most transcripts are played with. */
const SETTINGS: SessionSettings = {
  dialect: "register",
  slots: 10,
  services: [],
  address: new TextEncoder().encode("w1"),
  pingsWorking: false,
  heartbeat: 1000,
  brokerTimeout: 1000,
  timeouts: 3,
  random: () => 0.5,
};

/** How a session of a transcript is set. */
export type PlayOptions = Partial<SessionSettings> & { readonly manual?: boolean };

/** A test that plays a transcript and compares what came of it with what is written. */
export function transcript(name: string, text: string, options: PlayOptions = {}): void {
  Deno.test(`Session ${name}`, () => {
    const written = withoutMargin(text);
    const difference = differenceOf(written, play(written, options));
    if (difference !== undefined) throw new Error(difference);
  });
}

/** The events of a transcript, and what comes of them now. */
function play(transcript: string, options: PlayOptions): string {
  const player = new SessionPlayer(options);
  for (const line of transcript.split("\n")) {
    if (/^[0-9]/.test(line)) player.play(line);
  }
  return ["", ...player.lines, ""].join("\n");
}

/** A transcript without the margin that its place in a source gives it. */
function withoutMargin(text: string): string {
  return text.split("\n").map((line) => line.replace(/^ {4}/, "").trimEnd()).join("\n");
}

class SessionPlayer implements SessionSink {
  readonly lines: string[] = [];
  readonly #session: Session;
  readonly #notation = new Notation();
  readonly #views = new ViewMaker();
  #now = 0;

  constructor({ manual = false, ...settings }: PlayOptions) {
    this.#session = new Session({ ...SETTINGS, ...settings }, this, !manual);
  }

  play(line: string): void {
    const [, time = "", event = "", rest = ""] = /^([0-9]+) (\w+) ?(.*)$/.exec(line) ?? [];
    if (event === "passes") this.lines.push(line);
    this.#pass(Number(time), event === "wakes");
    if (event === "passes") return;
    this.lines.push(line);
    this.#do(event, rest);
  }

  /** Time moves on; whatever falls due before is done at its time. */
  #pass(until: number, asleep: boolean): void {
    while (!asleep && this.#session.nextDue <= until) {
      this.#now = Math.max(this.#now, this.#session.nextDue);
      this.#session.tick(this.#now);
    }
    this.#now = until;
  }

  #do(event: string, rest: string): void {
    const session = this.#session;
    const now = this.#now;
    if (event === "opened") session.opened(now);
    else if (event === "closed") session.closed();
    else if (event === "registers") session.register(now);
    else if (event === "deregisters") session.deregister(now);
    else if (event === "hears") {
      this.#views.with(this.#notation.read(rest), (view) => session.received(view, now));
    } else if (event === "answers") this.#answer(rest);
    else if (event === "gives") session.result(this.#notation.read(rest), now);
    else if (event === "finishes") {
      for (let i = 0; i < Number(rest); i++) session.finished();
      session.flush();
    } else if (event === "wakes") session.tick(now);
    else throw new Error(`what is ${event}?`);
  }

  #answer(rest: string): void {
    const [id, ...frames] = this.#notation.read(rest.replace(/> \[/, ">, ").replace(/^/, "["));
    this.#session.answer(id!, frames);
  }

  #note(what: string): void {
    this.lines.push(`  ${this.#now} ${what}`);
  }

  send(frames: readonly Uint8Array[]): void {
    this.#note(`says ${this.#notation.write(frames)}`);
  }

  /** What is said and heard stands in the transcript already. */
  pinged(): void {}

  ponged(): void {}

  registered(): void {
    this.#note("is registered");
  }

  refused(reason: string, again: number | undefined): void {
    this.#note(`is refused: ${reason}, ${again === undefined ? "for good" : `again in ${again}`}`);
  }

  job(id: Uint8Array | undefined, message: MessageView, first: number): void {
    const body: Uint8Array[] = [];
    for (let i = first; i < message.count; i++) body.push(frameOf(message, i));
    const name = id === undefined ? "" : `${this.#notation.write([id]).slice(1, -1)} `;
    this.#note(`begins ${name}${this.#notation.write(body)}`);
  }

  cancel(id: Uint8Array): void {
    this.#note(`stops ${this.#notation.write([id]).slice(1, -1)}`);
  }

  credit(id: Uint8Array, count: number): void {
    this.#note(`may send ${count} of ${this.#notation.write([id]).slice(1, -1)}`);
  }

  left(): void {
    this.#note("has left");
  }

  forgotten(): void {
    this.#note("is forgotten");
  }

  part(): void {
    this.#note("parts");
  }

  exit(): void {
    this.#note("is told to exit");
  }

  lost(asking: boolean): void {
    this.#note(asking ? "misses an answer" : "misses the broker");
    // The shell closes the connection.
    this.#session.closed();
  }

  ignored(what: string): void {
    this.#note(`ignores it: ${what}`);
  }
}
