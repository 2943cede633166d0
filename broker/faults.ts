/**
 * What goes wrong with connections, as log lines: once per kind and second, whoever is at fault.
 *
 * @module
 */
import type { Event } from "../protocol/engine/events.ts";
import { ProtocolError } from "../protocol/errors.ts";
import type { LineJournal } from "./journal.ts";
import type { Side } from "./trace.ts";

/** Tells of an event at a port, if it is a fault. */
export function tellFault(journal: LineJournal, side: Side, event: Event): void {
  // Whoever binds is told by the call itself.
  if (!("error" in event) || event.error === undefined || event.type === "bind:error") return;
  const { error, address } = event;
  const details = { address, error: error.message };
  if (event.type === "accept:error") {
    journal.fault(0, `${side} port cannot accept`, details);
  } else if (error instanceof ProtocolError) {
    journal.fault(0, `${side} broke the protocol (${error.fault})`, details);
  } else {
    const what = event.type === "disconnect" ? "lost" : "shook no hands";
    journal.fault(1, `${side} connection ${what}`, details);
  }
}
