/** Types of actor.mjs, for the Deno side. */

/** The value of a command, as JSON carries it. */
export type Value = string | string[] | null;

/** A command: what to do, with which socket, and how. */
export interface Command {
  readonly op: string;
  readonly name: string;
  readonly [detail: string]: unknown;
}

/** The bytes that a frame's text stands for. */
export function bytesOf(text: string): Uint8Array;

/** What a received frame is reported as. */
export function textOf(bytes: Uint8Array): string;

/** The sockets of one side, and what they can be told to do. */
export class Actor {
  constructor(library: object);
  execute(command: Command): Promise<Value>;
  closeAll(): Promise<void>;
}
