/**
 * Colours, where a terminal shows them and nobody has said no. NO_COLOR is known to Deno itself, so
 * that no permission to read the environment is needed.
 *
 * @module
 */

/** Makes text stand out or step back. */
export interface Paint {
  /** What is beside the point. */
  dim(text: string): string;
  /** What should be looked at. */
  warn(text: string): string;
}

/** No colours. */
export const PLAIN: Paint = { dim: same, warn: same };

const COLOURS: Paint = {
  dim: (text) => `\x1b[2m${text}\x1b[22m`,
  warn: (text) => `\x1b[33m${text}\x1b[39m`,
};

function same(text: string): string {
  return text;
}

/** Colours for a stream: none where it is no terminal, none under NO_COLOR. */
export function paintFor(isTerminal: boolean, noColor: boolean = Deno.noColor): Paint {
  return isTerminal && !noColor ? COLOURS : PLAIN;
}
