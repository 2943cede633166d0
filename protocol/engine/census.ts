/**
 * Who has come in and who hasn't shaken hands yet: what the limits on connections count. Several
 * engines may share one, so that a limit holds for all their ports together.
 *
 * @module
 */
import type { Link } from "./link.ts";

/** Accepted connections. */
export class Census {
  /** Those that are there, in all. */
  accepted = 0;
  /** Those that haven't shaken hands, oldest first. */
  readonly greeting: Set<Link> = new Set();
}
