/**
 * The matrix: which pairs, in which directions, have to pass which cases, and what makes no sense.
 *
 * Pure tables and their printing. How a case is played stands in `cells/`.
 *
 * @module
 */

import type { SocketClass } from "./side.ts";

/** Two socket types. The first one opens the conversation, the second one answers. */
export interface Pair {
  readonly name: string;
  readonly first: SocketClass;
  readonly second: SocketClass;
}

/** All legal pairs. */
export const PAIRS: readonly Pair[] = [
  { name: "REQ-REP", first: "Request", second: "Reply" },
  { name: "REQ-ROUTER", first: "Request", second: "Router" },
  { name: "DEALER-REP", first: "Dealer", second: "Reply" },
  { name: "DEALER-ROUTER", first: "Dealer", second: "Router" },
  { name: "DEALER-DEALER", first: "Dealer", second: "Dealer" },
  { name: "ROUTER-ROUTER", first: "Router", second: "Router" },
];

/** Which part one side plays: the first type of the pair or the second, binding or connecting. */
export interface Direction {
  readonly ours: "first" | "second";
  readonly binds: "ours" | "theirs";
}

/** All four directions. In a pair of equals, "first" still is who speaks first. */
export const DIRECTIONS: readonly Direction[] = [
  { ours: "first", binds: "ours" },
  { ours: "first", binds: "theirs" },
  { ours: "second", binds: "ours" },
  { ours: "second", binds: "theirs" },
];

/** "ours is REQ, theirs binds" and the like. */
export function directionName(pair: Pair, { ours, binds }: Direction): string {
  const type = pair.name.split("-")[ours === "first" ? 0 : 1];
  const part = pair.first !== pair.second ? "" : ours === "first" ? " (asking)" : " (answering)";
  return `ours is ${type}${part}, ${binds} ${binds === "ours" ? "bind" : "binds"}`;
}

/** Why a case says nothing about a pair; undefined where it has to pass. */
type Reason = (pair: Pair) => string | undefined;

const always: Reason = () => undefined;
const needsRouter = (why: string): Reason => (pair) => pair.second === "Router" ? undefined : why;
const needsRequest = (why: string): Reason => (pair) => pair.first === "Request" ? undefined : why;

/** The cases, each with the reason that makes it "n/a" for some pairs. */
export const CASES = {
  "frame of 0 B": always,
  "frame of 1 B": always,
  "frame of 255 B": always,
  "frame of 256 B": always,
  "frame of 64 KiB": always,
  "frame of 10 MiB": always,
  "1 frame": always,
  "2 frames": always,
  "200 frames": always,
  "10,000 in order": always,
  "heartbeats": always,
  "ours restarted": always,
  "theirs restarted": always,
  "same identity, handover off": needsRouter("only a ROUTER keeps a table of identities"),
  "same identity, handover on": needsRouter("only a ROUTER keeps a table of identities"),
  "mandatory": needsRouter("only a ROUTER addresses its peers"),
  "probe": always,
  "correlate": needsRequest("only a REQ numbers its requests"),
  "correlate, relaxed": needsRequest("only a REQ numbers its requests"),
} as const satisfies Record<string, Reason>;

/** The name of a case. */
export type CaseName = keyof typeof CASES;

/** The names of all cases, in order. */
export const CASE_NAMES = Object.keys(CASES) as CaseName[];

/** The marks of all cells, row by row. A cell that nobody has marked is empty. */
export class Grid {
  #marks = new Map<string, string>();

  /** Marks a cell: "ok", "FAILED" or "n/a". */
  mark(pair: Pair, direction: Direction, name: CaseName, mark: string): void {
    this.#marks.set(key(pair, direction, name), mark);
  }

  /** The cells that have no mark. */
  empty(): string[] {
    return PAIRS.flatMap((pair) =>
      DIRECTIONS.flatMap((direction) =>
        CASE_NAMES.map((name) => key(pair, direction, name)).filter((cell) =>
          !this.#marks.has(cell)
        )
      )
    );
  }

  /** The table for people: a line for each case, a column for each pair and direction. */
  toString(): string {
    const wide = Math.max(...CASE_NAMES.map((name) => name.length));
    const tables = PAIRS.map((pair) => {
      const heads = DIRECTIONS.map((direction) => directionName(pair, direction));
      const title = [pair.name.padEnd(wide), ...heads].join(" | ");
      const rows = CASE_NAMES.map((name) => {
        const marks = DIRECTIONS.map((direction, i) =>
          (this.#marks.get(key(pair, direction, name)) ?? "").padEnd(heads[i]?.length ?? 0)
        );
        const reason = CASES[name](pair);
        return [name.padEnd(wide), ...marks].join(" | ") + (reason ? `  (${reason})` : "");
      });
      return [title, ...rows].join("\n");
    });
    return `${tables.join("\n\n")}\n`;
  }
}

const key = (pair: Pair, direction: Direction, name: CaseName) =>
  `${pair.name}, ${directionName(pair, direction)}: ${name}`;
