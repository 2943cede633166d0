/**
 * The workloads of the comparison on the bare engine: a handler in place of a socket, views in
 * place of frames.
 *
 * @module
 */
import { Engine } from "../../protocol/engine/engine.ts";
import type { Peer } from "../../protocol/engine/peer.ts";
import { defaultSettings, type EngineHandler } from "../../protocol/engine/settings.ts";
import { denoIo } from "../../protocol/io/deno_io.ts";
import type { MessageView } from "../../protocol/zmtp/message_reader.ts";
import { NO_BYTES } from "../../protocol/zmtp/memory.ts";
import type { Result, Work, Workloads, Workplace } from "./work.ts";

/** The clock is looked at once in so many messages of a stream, as in workloads.mjs. */
const CLOCK_EVERY = 64;

/** A handler that does nothing until it is told to. */
class Lane implements EngineHandler {
  message: (peer: Peer, message: MessageView) => void = () => {};
  room: (peer: Peer) => void = () => {};

  onOpen(): boolean {
    return true;
  }

  onMessage(peer: Peer, message: MessageView): void {
    this.message(peer, message);
  }

  onRoom(peer: Peer): void {
    this.room(peer);
  }

  onGone(): void {}

  onEvent(): void {}
}

/** The same operations as those of workloads.mjs. */
export const laneWorkloads: Workloads = { serve, roundTrips, stream };

async function serve(): Promise<Workplace> {
  const [echoing, counting] = [new Lane(), new Lane()];
  echoing.message = sendBack;
  let count = 0;
  counting.message = (peer, message) => {
    if (message.ends[0]! > message.starts[0]!) {
      count++;
      return;
    }
    peer.send([new TextEncoder().encode(String(count))]);
    count = 0;
  };
  const bind = (lane: Lane) =>
    new Engine(denoIo(), defaultSettings("ROUTER"), lane).bind("tcp://127.0.0.1:*");
  return { echo: await bind(echoing), count: await bind(counting) };
}

/** The wire of a message goes back verbatim. */
function sendBack(peer: Peer, message: MessageView): void {
  const batch = peer.batch();
  batch.raw(message.bytes, message.heads[0]!, message.ends[message.count - 1]!);
  batch.messages++;
}

async function roundTrips({ endpoint, size, window, seconds }: Work): Promise<Result> {
  const lane = new Lane();
  const engine = new Engine(denoIo(), defaultSettings("DEALER"), lane);
  const peer = engine.connect(endpoint);
  const frames = [new Uint8Array(size).fill(97)];
  await new Promise<void>((resolve) => {
    lane.message = () => resolve();
    peer.send(frames);
  });
  const start = performance.now();
  const end = start + seconds * 1000;
  let messages = 0;
  let now = start;
  await new Promise<void>((resolve) => {
    lane.message = () => {
      if (now >= end) return;
      peer.send(frames);
      messages++;
      now = performance.now();
      if (now >= end) resolve();
    };
    for (let i = 0; i < window; i++) peer.send(frames);
  });
  await engine.close(0);
  return { messages, seconds: (now - start) / 1000 };
}

async function stream({ endpoint, size, seconds }: Work): Promise<Result> {
  const lane = new Lane();
  const engine = new Engine(denoIo(), defaultSettings("DEALER"), lane);
  const peer = engine.connect(endpoint);
  const frames = [new Uint8Array(size).fill(97)];
  const ask = () => peer.send([NO_BYTES]);
  await new Promise<void>((resolve) => {
    lane.message = () => resolve();
    ask();
  });
  const start = performance.now();
  const end = start + seconds * 1000;
  let messages = 0;
  await new Promise<void>((resolve) => {
    lane.message = () => resolve();
    const fill = () => {
      while (!peer.full) {
        peer.send(frames);
        if (++messages % CLOCK_EVERY > 0 || performance.now() < end) continue;
        lane.room = () => {};
        return ask();
      }
    };
    lane.room = fill;
    fill();
  });
  const elapsed = (performance.now() - start) / 1000;
  await engine.close(0);
  return { messages, seconds: elapsed };
}
