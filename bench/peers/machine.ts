/**
 * What the numbers hold for: the machine, the versions, the day.
 *
 * @module
 */
import { outputOf } from "./child.ts";

/** Where and when something was measured. */
export interface Setting {
  readonly machine: string;
  readonly system: string;
  readonly versions: Readonly<Record<string, string>>;
  readonly command: string;
  readonly date: string;
  /** What the system said of its load before and after. */
  readonly load: string;
}

/** Describes this machine. */
export async function describeMachine(): Promise<Pick<Setting, "machine" | "system">> {
  const cpus = await outputOf("cat", "/proc/cpuinfo") ?? "";
  const memory = await outputOf("cat", "/proc/meminfo") ?? "";
  const model = /^model name\s*:\s*(.*)$/m.exec(cpus)?.[1] ?? "unknown processor";
  const kib = Number(/^MemTotal:\s*(\d+)/m.exec(memory)?.[1] ?? 0);
  const cores = navigator.hardwareConcurrency;
  const name = /^PRETTY_NAME="?(.*?)"?$/m.exec(await outputOf("cat", "/etc/os-release") ?? "")?.[1];
  const kernel = await outputOf("uname", "-sr");
  return {
    machine: `${cores} cores of ${model}, ${Math.round(kib / 2 ** 20)} GiB`,
    system: `${name ?? "unknown system"}, ${kernel}`,
  };
}

/** The load averages, as the system tells them. */
export async function loadAverage(): Promise<string> {
  const text = await outputOf("cat", "/proc/loadavg") ?? "";
  return text.split(" ").slice(0, 3).join(" ");
}

/** Today, as a date. */
export function today(): string {
  return new Date().toISOString().slice(0, 10);
}

/** The setting in a few lines of text. */
export function describeSetting(setting: Setting): string {
  const { machine, system, versions, command, date, load } = setting;
  const all = [...new Set(Object.values(versions).flatMap((text) => text.split(", ")))];
  return `${date}, ${machine}; ${system}; ${all.join(", ")}. Load averages: ${load}. ` +
    `Command: \`${command}\`.`;
}
