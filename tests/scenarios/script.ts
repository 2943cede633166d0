/**
 * Plays a transcript against a broker without the world, and writes down what happened. A line that
 * begins at the left edge is played; indented lines are what the broker did, and are written anew.
 * The language:
 *
 * | line | what happens |
 * |---|---|
 * | `broker name=value…` | settings, as in `broker/core/settings.ts`; before everything else |
 * | `client c REQ connects` · `worker w DEALER "identity" connects` | also `DEALER/3.0` |
 * | `c: ["", "hello"]` | a peer says that |
 * | `c leaves` | its connection is gone |
 * | `c stops reading` · `c reads again` | its output is above the mark, and below it again |
 * | `c is starved` · `c is fed` | the engine doesn't read it for lack of memory, and reads it again |
 * | `c shows life` | an octet comes that is no message: a ZMTP PONG |
 * | `wait 1.5s` · `at 3s` | time passes |
 * | `stand still 10s` | the broker's process stands still, and then finds out |
 * | `operator retries 1` · `drops 1` · `exits ADDRESS` | |
 * | `broker drains` · `broker gives up` | |
 * | `show VIEW` | prints it, see `shows.ts` |
 *
 * @module
 */
import type { CoreSettings } from "../../broker/core/settings.ts";
import { addressOf } from "../../broker/core/snapshot.ts";
import { octets } from "../../protocol/dialogue/words.ts";
import { checkEmpty, checkInvariants } from "../kit/invariants.ts";
import { PureBroker, type TimedEffect } from "../kit/pure_broker.ts";
import { Notation } from "./notation.ts";
import { SHOWS } from "./shows.ts";

const INDENT = "    ";

/** What a line does; gives the lines of a view if it is one. */
type Play = (run: Run, ...parts: string[]) => string[] | void;

/** The language: patterns and what they do, the first that fits. */
const LANGUAGE: readonly (readonly [RegExp, Play])[] = [
  [/^broker (\w+=.*)$/, (run, settings) => run.settle(settings!)],
  [/^(client|worker) (\w+) (\S+)(?: (".*"))? connects$/, (run, ...parts) => run.connect(parts)],
  [/^(\w+): (\[.*\])$/, (run, name, frames) => run.say(name!, frames!)],
  [/^(\w+) leaves$/, (run, name) => run.broker.leave(name!)],
  [/^(\w+) stops reading$/, (run, name) => run.broker.setFull(name!, true)],
  [/^(\w+) reads again$/, (run, name) => run.broker.setFull(name!, false)],
  [/^(\w+) is starved$/, (run, name) => run.broker.setStarved(name!, true)],
  [/^(\w+) is fed$/, (run, name) => run.broker.setStarved(name!, false)],
  [/^(\w+) shows life$/, (run, name) => run.broker.showLife(name!)],
  [/^wait (\S+)$/, (run, time) => run.broker.advance(run.broker.now + readTime(time!))],
  [/^at (\S+)$/, (run, time) => run.broker.advance(readTime(time!))],
  [/^stand still (\S+)$/, (run, time) => run.broker.standStill(readTime(time!))],
  [/^operator retries (\d+)$/, (run, id) => run.operate("retry", Number(id))],
  [/^operator drops (\d+)$/, (run, id) => run.operate("drop", Number(id))],
  [/^operator exits (\S+)$/, (run, address) => run.exit(address!)],
  [/^broker drains$/, (run) => run.broker.act((core, now) => core.drain(now))],
  [/^broker gives up$/, (run) => run.broker.act((core, now) => core.giveUp(now))],
  [/^show (\w+)$/, (run, view) => run.show(view!)],
];

/** Plays a transcript; gives it with what happened this time. */
export function play(transcript: string): string {
  const run = new Run();
  const lines: string[] = [];
  for (const [i, line] of transcript.trimEnd().split("\n").entries()) {
    if (/^\s/.test(line)) continue;
    lines.push(line);
    if (line === "" || line.startsWith("#")) continue;
    try {
      lines.push(...run.play(line).map((text) => INDENT + text));
    } catch (error) {
      throw new Error(`Cannot play line ${i + 1}, ${line}`, { cause: error });
    }
  }
  run.end();
  return lines.join("\n") + "\n";
}

/** One transcript that is being played. */
class Run {
  broker = new PureBroker();
  readonly #notation = new Notation();
  #begun = false;

  play(line: string): string[] {
    for (const [pattern, deed] of LANGUAGE) {
      const parts = pattern.exec(line)?.slice(1);
      if (parts === undefined) continue;
      const start = this.broker.now;
      const shown = deed(this, ...parts) ?? [];
      this.#begun = true;
      const effects = this.broker.takeEffects().map((effect) => this.#tell(effect, start));
      checkInvariants(this.broker.core);
      return [...effects, ...shown.map((text) => `| ${text}`)];
    }
    throw new Error(`Cannot play: ${line}`);
  }

  /** All peers leave, time passes, dead letters are thrown away: nothing must be left. */
  end(): void {
    const { broker } = this;
    for (const name of [...broker.peers.keys()]) broker.leave(name);
    const { settings, dead } = broker.core.state;
    broker.advance(broker.now + settings.clientGrace + settings.finishedTime + 2000);
    for (const { id } of [...dead]) broker.act((core, now) => core.drop(id, now));
    checkEmpty(broker.core);
  }

  settle(text: string): void {
    if (this.#begun) throw new Error("settings come first");
    const settings: Record<string, number> = {};
    for (const part of text.split(" ")) {
      const [name = "", value] = part.split("=");
      if (!(name in this.broker.core.state.settings)) throw new Error(`no setting ${name}`);
      settings[name] = Number(value);
    }
    this.broker = new PureBroker(settings as Partial<CoreSettings>);
  }

  connect([side, name = "", socket = "", identity]: string[]): void {
    const [type = "", version = "3.1"] = socket.split("/");
    const who = {
      name,
      type,
      identity: octets(identity === undefined ? "" : JSON.parse(identity)),
      canBePinged: version !== "3.0",
    };
    if (side === "client") this.broker.connectClient(who);
    else this.broker.connectWorker(who);
  }

  say(name: string, frames: string): void {
    this.broker.say(name, this.#notation.read(frames));
  }

  operate(verb: "retry" | "drop", id: number): string[] {
    return this.broker.act((core, now) => core[verb](id, now)) ? [] : ["there is none"];
  }

  exit(address: string): string[] {
    const workers = this.broker.core.state.workers.filter((worker) =>
      worker !== undefined && addressOf(worker) === address
    );
    this.broker.act((core, now) => workers.forEach((worker) => core.exit(worker!, now)));
    return workers.length === 0 ? ["there is none"] : [];
  }

  show(view: string): string[] {
    const show = SHOWS[view];
    if (show === undefined) throw new Error(`there is no view ${view}`);
    const lines = show(this.broker.core, this.broker.now);
    return lines.length > 0 ? lines : ["nothing"];
  }

  #tell(effect: TimedEffect, start: number): string {
    const when = effect.at > start ? `${writeTime(effect.at)} ` : "";
    if (effect.what === "sent") {
      return `${when}-> ${effect.peer}: ${this.#notation.write(effect.frames)}`;
    }
    if (effect.what === "dropped") return `${when}dropped, ${effect.reason}: ${effect.detail}`;
    if (effect.what === "dead") return `${when}dead letter, ${effect.code}`;
    if (effect.what === "unserved") return `${when}nobody serves ${effect.service}`;
    return `${when}${effect.what} ${effect.peer}`;
  }
}

/** Milliseconds from `1.5s` or `20ms`. */
function readTime(text: string): number {
  const [, number, unit] = /^([0-9.]+)(s|ms)$/.exec(text) ?? [];
  if (number === undefined) throw new Error(`no time: ${text}`);
  return Math.round(Number(number) * (unit === "s" ? 1000 : 1));
}

function writeTime(ms: number): string {
  return `${ms / 1000}s`;
}
