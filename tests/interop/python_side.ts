/**
 * Starts libzmq as a side by way of Python: pyzmq, where a Python on this machine has it.
 *
 * @module
 */

import { ProcessSide } from "./side.ts";

/** Where Python may be. The system's own often has pyzmq when the first on PATH hasn't. */
const PYTHONS = ["python3", "/usr/bin/python3", "python"];

/** The least that peer.py needs, told by its versions. */
const PROBE = `
import sys
assert sys.version_info >= (3, 8)
import zmq.asyncio
print("pyzmq", zmq.pyzmq_version(), "libzmq", zmq.zmq_version())
`;

/** A Python that has pyzmq, and which. */
export interface Python {
  readonly command: string;
  /** Versions of pyzmq and libzmq. */
  readonly version: string;
}

/** The first Python that has pyzmq; undefined if none has. */
export async function findPython(): Promise<Python | undefined> {
  for (const command of PYTHONS) {
    try {
      const probe = new Deno.Command(command, { args: ["-c", PROBE], stdin: "null" });
      const { success, stdout } = await probe.output();
      if (success) return { command, version: new TextDecoder().decode(stdout).trim() };
    } catch (error) {
      if (!(error instanceof Deno.errors.NotFound)) throw error;
    }
  }
  return undefined;
}

/** Starts it with peer.py. */
export async function startPython({ command }: Python): Promise<ProcessSide> {
  const program = decodeURIComponent(new URL("peer.py", import.meta.url).pathname);
  return await ProcessSide.start(command, [program]);
}
