/**
 * A journal that nobody reads.
 *
 * @module
 */
import type { Journal } from "./core/decision.ts";

/** Says nothing. */
export const SILENT: Journal = {
  level: 0,
  dropped: () => {},
  dead: () => {},
  worker: () => {},
  stranger: () => {},
  client: () => {},
  job: () => {},
  because: () => {},
};
