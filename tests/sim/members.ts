/**
 * Who takes part: each member has a name and a role, and at any time one process that plays it, or
 * none. Members are killed, started again, stopped, doubled.
 *
 * @module
 */
import { Dice } from "./dice.ts";
import { SimProcess } from "./process.ts";
import type { Part, Role, Stage } from "./stage.ts";

/** What somebody plays. */
export interface Character {
  readonly name: string;
  readonly side: "client" | "worker";
  /** Whether it has a name that another process could claim. */
  readonly named: boolean;
  readonly role: Role;
}

/** One who takes part. */
export class Member {
  readonly name: string;
  readonly character: Character;
  readonly #stage: Stage;
  #starts = 0;
  process: SimProcess | undefined;
  part: Part | undefined;

  /** With a suffix it is a second one of the same character. */
  constructor(character: Character, stage: Stage, suffix = "") {
    this.name = character.name + suffix;
    this.character = character;
    this.#stage = stage;
  }

  get alive(): boolean {
    return this.process !== undefined;
  }

  /** Starts a process that plays the role; nothing if one does. */
  start(): void {
    if (this.process !== undefined) return;
    const { settings, network, trace } = this.#stage;
    const dice = new Dice(settings.seed, `${this.name} ${++this.#starts}`);
    trace.note(network.now, `${this.name} starts`);
    const process = this.process = new SimProcess(
      network,
      { name: this.name, title: this.character.name },
      dice,
    );
    this.part = this.character.role(process, this.#stage);
  }

  /** Kills the process. */
  kill(plainly: boolean): void {
    const { process } = this;
    if (process === undefined) return;
    this.#stage.trace.note(this.#stage.network.now, `${this.name} is killed`);
    this.process = this.part = undefined;
    process.die(plainly);
    if (this.character.side === "client") this.#stage.books.died(this.name);
  }

  /** The process ends in order; resolves when it has. */
  async close(): Promise<void> {
    const { process, part } = this;
    if (process === undefined || part === undefined) return;
    process.continue();
    this.#stage.books.leaving(this.name, "CONNECTION_LOST");
    await part.close();
    if (this.process !== process) return;
    this.process = this.part = undefined;
    process.die(true);
    // Whoever was about to read the last of a stream went with it.
    this.#stage.books.died(this.name);
  }
}
