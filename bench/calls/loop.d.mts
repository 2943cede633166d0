/** Types of loop.mjs, for the Deno side. */

/** What the command line says. */
export interface Place {
  readonly role: "client" | "worker";
  readonly folder: string;
  readonly front: number;
  readonly back: number;
  readonly inFlight: number;
  readonly warmSeconds: number;
  readonly seconds: number;
}

/** A worker is there: says so. */
export function ready(): void;

/** Runs the loop; `call` takes a text and gives the text that came back. */
export function loop(call: (body: string) => Promise<string>, place: Place): Promise<void>;

/** Reads the command line. */
export function readPlace(args: readonly string[]): Place;
