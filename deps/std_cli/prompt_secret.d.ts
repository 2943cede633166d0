/** Types of `@std/cli/prompt-secret`, which its npm build lacks. */

/** Options of {@linkcode promptSecret}. */
export interface PromptSecretOptions {
  /** Shown for each character; `*` unless told. */
  mask?: string;
  /** Whether the line is wiped after the answer. */
  clear?: boolean;
}

/** Asks for a line without showing it; null where the input is no terminal. */
export function promptSecret(message?: string, options?: PromptSecretOptions): string | null;
