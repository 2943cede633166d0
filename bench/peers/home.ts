/**
 * Where the things are that `bench/install` makes, and whether they are there.
 *
 * @module
 */
import { pathOf } from "../kit/process.ts";

const HOME = new URL("../../.interop/peers/", import.meta.url);

/** The programs that `bench/install` builds. */
export type Program = "rload" | "zload" | "zbroker" | "look";

/** The folder with `node_modules`. */
export const HOME_PATH: string = pathOf(HOME);

/** The path of a program. */
export function programPath(name: Program): string {
  return pathOf(new URL(name, HOME));
}

/** Whether a program, or a package of npm, is installed. */
export async function isInstalled(name: Program | `node_modules/${string}`): Promise<boolean> {
  return await Deno.stat(new URL(name, HOME)).then(() => true, () => false);
}

/** The version of an installed package of npm; undefined if it isn't there. */
export async function packageVersion(name: string): Promise<string | undefined> {
  try {
    const text = await Deno.readTextFile(new URL(`node_modules/${name}/package.json`, HOME));
    return JSON.parse(text).version;
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return undefined;
    throw error;
  }
}
