/**
 * Cells about messages: their sizes, their frames, their order.
 *
 * @module
 */

import type { Stage } from "./stage.ts";

/** One frame of some size there and back, twice: the second one must find everything in place. */
export async function frameOfSize(stage: Stage, size: number): Promise<void> {
  await using scene = await stage.open();
  await stage.exchange(scene.first, scene.second, [`~${size}`]);
  await stage.exchange(scene.first, scene.second, [`~${size}`]);
}

/** A message of some frames there and back, with an empty one among them. */
export async function frames(stage: Stage, count: number): Promise<void> {
  await using scene = await stage.open();
  const body = Array.from({ length: count }, (_, i) => i === 1 ? "=" : `=frame ${i}`);
  await stage.exchange(scene.first, scene.second, body);
}

/** Many numbered messages there and back in order, as fast as the pair allows. */
export async function inOrder(stage: Stage, count: number): Promise<void> {
  // ROUTER and REP drop what goes over the mark; how many come through without one is the question here.
  const unlimited = { sendHighWaterMark: 0, receiveHighWaterMark: 0 };
  await using scene = await stage.open({ first: unlimited, second: unlimited });
  await stage.exchange(scene.first, scene.second, ["=hello"]);
  const echoing = scene.second.echo(count);
  if (stage.pair.first === "Request") {
    await Promise.all([scene.first.lockstep(count), echoing]);
  } else {
    await Promise.all([scene.first.stream(stage.head, count), scene.first.expect(count), echoing]);
  }
}
