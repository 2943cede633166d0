/**
 * Tells what the whole machine does, from `/proc/stat`: whether anything else disturbed a
 * measurement. Where there is no such file nothing is known, and nothing is taken to disturb.
 *
 * @module
 */
import { outputOf } from "../peers/child.ts";

/** The file counts hundredths of a second. */
const TICKS = 100;
/** How long the machine is watched to see whether it is quiet. */
const GLANCE_MS = 1000;

/** Looks at the machine. */
export class Bystander {
  /** CPU seconds that all cores have spent so far, with what the host took from them. */
  async busySeconds(): Promise<number> {
    const text = await outputOf("cat", "/proc/stat") ?? "";
    const [, user, nice, system, , , interrupts, soft, steal] = text.split(/\s+/).map(Number);
    const ticks = user! + nice! + system! + interrupts! + soft! + steal!;
    return Number.isFinite(ticks) ? ticks / TICKS : 0;
  }

  /** Waits until at most so many cores are in use, for so many seconds at most. */
  async quiet(cores: number, patienceSeconds: number): Promise<void> {
    const end = performance.now() + patienceSeconds * 1000;
    while (performance.now() < end) {
      const [start, before] = [performance.now(), await this.busySeconds()];
      await new Promise((resolve) => setTimeout(resolve, GLANCE_MS));
      const used = await this.busySeconds() - before;
      if (used / (performance.now() - start) * 1000 <= cores) return;
    }
  }
}
