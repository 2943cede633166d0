/**
 * One worker of the demo, in a thread of its own: PING takes a moment, STREAM gives octets that the
 * client knows. It ends when it is told to, or with its thread.
 *
 * @module
 */
import { Worker as JobWorker } from "../../mod.ts";
import { patternOctets } from "../../terminal/pattern.ts";

/** How long a PING takes: long enough to be caught in the middle of it. */
const PING_MS = 10;
const CHUNK_BYTES = 4096;

/** What the demo tells a worker first. */
export interface Orders {
  readonly broker: string;
  readonly address: string;
}

const handlers = {
  PING: async () => {
    await new Promise((resolve) => setTimeout(resolve, PING_MS));
    return "PONG";
  },
  async *STREAM(job: { text(): string }) {
    const bytes = Number(job.text());
    for (let at = 0; at < bytes; at += CHUNK_BYTES) {
      yield patternOctets(at, Math.min(CHUNK_BYTES, bytes - at));
    }
  },
};

/** The thread, as whoever started it sees it. */
const thread = self as unknown as {
  onmessage: ((event: MessageEvent<Orders | "leave">) => void) | null;
  postMessage(message: string): void;
  close(): void;
};

let worker: JobWorker | undefined;

thread.onmessage = async ({ data }) => {
  if (data === "leave") {
    await worker?.close();
    thread.postMessage("left");
    thread.close();
  } else {
    worker = await JobWorker.start({ ...data, handlers });
    thread.postMessage("joined");
  }
};
