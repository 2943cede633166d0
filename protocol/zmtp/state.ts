/**
 * The states of one connection, as a table. Only this file says which state follows which.
 *
 * ```
 *            greeting           ready
 *  GREETING ----------> HANDSHAKE -----> OPEN
 *      |                    |              |
 *      +---- close ---------+---- close ---+----> CLOSED
 * ```
 *
 * @module
 */

/** Where a connection stands. */
export type State = "GREETING" | "HANDSHAKE" | "OPEN" | "CLOSED";

/** What moves it on. */
export type Step = "greeting" | "ready" | "close";

const TABLE: Readonly<Record<State, Readonly<Partial<Record<Step, State>>>>> = {
  GREETING: { greeting: "HANDSHAKE", close: "CLOSED" },
  HANDSHAKE: { ready: "OPEN", close: "CLOSED" },
  OPEN: { close: "CLOSED" },
  CLOSED: { close: "CLOSED" },
};

/** The state that follows; a step that the table doesn't know is a fault of ours. */
export function follow(state: State, step: Step): State {
  const next = TABLE[state][step];
  if (next === undefined) {
    throw new Error(`Cannot ${step}: the connection is ${state}`);
  }
  return next;
}
