/**
 * Cells about connections that live on or end: heartbeats, restarts.
 *
 * @module
 */

import { assertEquals } from "@std/assert";
import { WatchedWire } from "../watched_wire.ts";
import { FIRST_ID, type Part, type Stage } from "./stage.ts";

/** Three PINGs and PONGs each way leave an idle connection alone; a wire that goes silent is noticed by both. */
export async function heartbeats(stage: Stage): Promise<void> {
  const beating = { heartbeatInterval: 50, heartbeatTimeout: 400, heartbeatTimeToLive: 1000 };
  await using wire = new WatchedWire();
  const via = (endpoint: string) => wire.to(endpoint);
  await using scene = await stage.open({ first: beating, second: beating, via });
  await stage.exchange(scene.first, scene.second, ["=before"]);
  await wire.seen("PING", 3);
  await wire.seen("PONG", 3);
  await stage.exchange(scene.first, scene.second, ["=after"]);
  assertEquals(
    await scene.first.countEvents("disconnect"),
    0,
    "disconnects of the first while idle",
  );
  assertEquals(
    await scene.second.countEvents("disconnect"),
    0,
    "disconnects of the second while idle",
  );
  wire.silence();
  await Promise.all([scene.first.awaitEvent("disconnect"), scene.second.awaitEvent("disconnect")]);
}

/** One side crashes and comes back at the same endpoint: messages flow again. */
export async function restarted(stage: Stage, who: "ours" | "theirs"): Promise<void> {
  const other: Part = stage.direction.ours === "first" ? "second" : "first";
  const part = who === "ours" ? stage.direction.ours : other;
  const options = {
    reconnectInterval: 20,
    ...(stage.pair.first === "Router" ? { handover: true } : {}),
  };
  await using scene = await stage.open({ first: options, second: options });
  await stage.exchange(scene.first, scene.second, ["=before"]);
  await stage.sideOf(part).restart();
  const survivor = part === "first" ? scene.second : scene.first;
  await survivor.awaitEvent("disconnect");

  // A connecting socket keeps what it is given while its peer is away.
  const keeps = part === "second" && stage.binder === "second";
  const early = [...stage.head, "=while away"];
  if (keeps) await scene.first.send(early);

  await using revived = await stage.create(part, options);
  if (part === stage.binder) await revived.bind(scene.endpoint);
  else await revived.connect(scene.endpoint);
  const first = part === "first" ? revived : scene.first;
  const second = part === "second" ? revived : scene.second;
  if (keeps) {
    await second.echo();
    assertEquals(await first.receive(), early, "what was sent while the peer was away");
  } else if (stage.pair.first === "Router" && part === "second") {
    // The survivor could still hold the dead connection: the newcomer says that it is there.
    await second.sendWhenKnown([FIRST_ID, "=here again"]);
    assertEquals((await first.receive()).slice(1), ["=here again"]);
  }
  await stage.exchange(first, second, ["=after"]);
}
