// The largest jobs that a broker takes from anybody reach a worker: what the broker puts in front of
// them must not make them too large.

import { assertEquals } from "@std/assert";
import { Dealer } from "../protocol/mod.ts";
import { WIRE_LIMITS } from "../protocol/zmtp/limits.ts";
import { headers, requestId, SIG } from "../tests/kit/broker_world.ts";
import { TestCluster } from "../tests/kit/mod.ts";

const { messageBytes, messageFrames } = WIRE_LIMITS;

/** Frames of no octet, as many as fit behind those of the request. */
function emptyFrames(behind: number): Uint8Array[] {
  return Array.from({ length: messageFrames - behind }, () => new Uint8Array(0));
}

Deno.test("a job of as many frames or octets as a broker takes reaches a worker", async () => {
  await using cluster = await TestCluster.start();
  await cluster.worker({
    handlers: { count: (job) => job.frames.length, size: (job) => job.bytes.length },
    defaultHandler: (job) => String(job.frames.length),
  });
  const io = cluster.network.io("anybody");
  await using dealer = new Dealer({ io, linger: 0 });
  dealer.connect(cluster.broker.frontend);
  const ask = async (...frames: (string | Uint8Array)[]) => {
    await dealer.send(frames);
    return (await dealer.receive()).at(-1)!.text();
  };
  const native = (id: number, command: string) => [SIG, "TRACKEXEC", requestId(id), command];
  const none = headers({});
  assertEquals(
    await ask(...native(1, "count"), none, ...emptyFrames(5)),
    String(messageFrames - 5),
  );
  const octets = messageBytes - SIG.length - "TRACKEXEC".length - 16 - "size".length;
  assertEquals(await ask(...native(2, "size"), none, new Uint8Array(octets)), String(octets));
  const opaque = ["x", ...Array.from({ length: messageFrames - 1 }, () => "y")];
  assertEquals(await ask(...opaque), String(messageFrames));
  assertEquals(cluster.broker.views.snapshot().workersLost, 0);
});
