/**
 * One simulated process: its own view of the world, in which it can be killed, stopped and continued.
 * Whatever it does runs on its own timers and connections, so that all of it stops with it.
 *
 * @module
 */
import type { Io } from "../../protocol/io/io.ts";
import type { MemoryNetwork } from "../../protocol/io/memory_io.ts";
import { MortalIo } from "../kit/mortal_io.ts";
import { StoppableIo } from "../kit/stoppable_io.ts";
import type { Dice } from "./dice.ts";
import { type Tap, TappedIo } from "./tapped_io.ts";

const UNWATCHED: Tap = { wire: () => {}, after: () => {} };

/** A process on a host of its own. */
export class SimProcess {
  /** The host's name: no other process has it. */
  readonly name: string;
  /** What it calls itself: a second process of the same member says the same. */
  readonly title: string;
  /** Its own chance. */
  readonly dice: Dice;
  readonly #mortal: MortalIo;
  readonly #stoppable: StoppableIo;
  readonly #tapped: TappedIo;
  #dead = false;
  #stopped = false;
  #wokeAt = -Infinity;

  constructor(
    network: MemoryNetwork,
    { name, title }: { readonly name: string; readonly title: string },
    dice: Dice,
    tap: Tap = UNWATCHED,
  ) {
    this.name = name;
    this.title = title;
    this.dice = dice;
    this.#mortal = new MortalIo(network, name);
    this.#stoppable = new StoppableIo(this.#mortal);
    this.#tapped = new TappedIo(this.#stoppable, tap);
  }

  /** The world as it sees it. */
  get io(): Io {
    return this.#tapped;
  }

  get alive(): boolean {
    return !this.#dead;
  }

  get stopped(): boolean {
    return this.#stopped;
  }

  /** When it went on after it had stood still. */
  get wokeAt(): number {
    return this.#wokeAt;
  }

  /** Timers that it has set. */
  get timers(): number {
    return this.#tapped.timers;
  }

  /** Dies as at kill -9. What it wrote before still arrives if `plainly`, else it is lost. */
  die(plainly: boolean): void {
    if (this.#dead) return;
    this.#dead = true;
    this.#stoppable.stop();
    this.#mortal.die(plainly);
  }

  /** Stands still. */
  stop(): void {
    if (this.#dead || this.#stopped) return;
    this.#stopped = true;
    this.#stoppable.stop();
  }

  /** Goes on. */
  continue(): void {
    if (this.#dead || !this.#stopped) return;
    this.#stopped = false;
    this.#wokeAt = this.io.now();
    this.#stoppable.continue();
  }

  /** Lets its own time pass; never comes back if it dies meanwhile. */
  pass(milliseconds: number): Promise<void> {
    return new Promise((resolve) => this.io.setTimer(resolve, milliseconds));
  }
}
