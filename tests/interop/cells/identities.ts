/**
 * Cells about a ROUTER's peers: the same identity twice, unknown peers, probes.
 *
 * @module
 */

import { assertEquals, assertNotEquals } from "@std/assert";
import type { Options, TestSocket } from "../side.ts";
import { assertCode, type Scene, SECOND_ID, type Stage } from "./stage.ts";

/** An identity that two peers claim. */
const CLAIMED: Options = { routingId: "the-same" };

/** Without handover the newcomer stays outside, and answers go to the peer that was there before. */
export async function handoverOff(stage: Stage): Promise<void> {
  await using scene = await openClaimed(stage, { handover: false }, {});
  await using newcomer = await stage.create("first", CLAIMED);
  await join(stage, scene, newcomer);
  // libzmq keeps the newcomer's connection and ignores it; Rota closes it, so that it tries again.
  if (scene.second.side.isRota) await newcomer.awaitEvent("disconnect");
  else await newcomer.awaitEvent("handshake");
  await stage.exchange(scene.first, scene.second, ["=still me"]);
  assertEquals(
    await scene.first.countEvents("disconnect"),
    0,
    "disconnects of the peer that was there before",
  );
  if (stage.pair.first === "Request") return;
  await newcomer.set("receiveTimeout", 0);
  await assertCode(newcomer.receive(), "EAGAIN");
}

/** With handover the newcomer takes the identity, and answers go to it. */
export async function handoverOn(stage: Stage): Promise<void> {
  // Or the loser would come again at once and take the identity back.
  const patient = { reconnectInterval: 60_000 };
  await using scene = await openClaimed(stage, { handover: true, ...patient }, patient);
  await using newcomer = await stage.create("first", { ...CLAIMED, ...patient });
  await join(stage, scene, newcomer);
  await newcomer.awaitEvent("handshake");
  await stage.exchange(newcomer, scene.second, ["=now me"]);
  // Rota closes the loser's connection; libzmq does so only where it had accepted it.
  if (scene.second.side.isRota) await scene.first.awaitEvent("disconnect");
  if (stage.pair.first === "Request") return;
  await scene.first.set("receiveTimeout", 0);
  await assertCode(scene.first.receive(), "EAGAIN");
}

async function openClaimed(stage: Stage, holder: Options, claimant: Options): Promise<Scene> {
  const scene = await stage.open({ first: { ...CLAIMED, ...claimant }, second: holder });
  await stage.exchange(scene.first, scene.second, ["=it is me"]);
  return scene;
}

/** Brings a second claimant to the ROUTER, over an endpoint of its own where the claimants bind. */
async function join(stage: Stage, scene: Scene, newcomer: TestSocket): Promise<void> {
  if (stage.binder === "second") await newcomer.connect(scene.endpoint);
  else await scene.second.connect(await newcomer.bind());
}

/** A ROUTER with `mandatory` says so when it doesn't know a peer, and reaches one that it knows. */
export async function mandatory(stage: Stage): Promise<void> {
  await using scene = await stage.open({
    first: { routingId: "known" },
    second: { mandatory: true },
  });
  await assertCode(scene.second.send(["=unknown", "=", "=lost"]), "EHOSTUNREACH");
  await stage.exchange(scene.first, scene.second, ["=hello"]);
  await assertCode(scene.second.send(["=unknown", "=", "=lost"]), "EHOSTUNREACH");
  await stage.exchange(scene.first, scene.second, ["=again"]);
}

/** A probe is one empty frame on a new connection; a REP drops it. */
export async function probe(stage: Stage): Promise<void> {
  await probeOfFirst(stage);
  if (stage.pair.second === "Reply") return; // REP has no probe
  // A libzmq REQ takes a probe for a fault of the peer and leaves it for good; a Rota REQ skips it.
  if (stage.pair.first === "Request" && !stage.sideOf("first").isRota) return;
  await probeOfSecond(stage);
}

async function probeOfFirst(stage: Stage): Promise<void> {
  await using scene = await stage.open({ first: { probeRouter: true, routingId: "prober" } });
  await probeIsOut(scene.first);
  if (stage.pair.second === "Router") assertEquals(await scene.second.receive(), ["=prober", "="]);
  if (stage.pair.second === "Dealer") assertEquals(await scene.second.receive(), ["="]);
  await stage.exchange(scene.first, scene.second, ["=hello"]);
}

async function probeOfSecond(stage: Stage): Promise<void> {
  await using scene = await stage.open({ second: { probeRouter: true } });
  await probeIsOut(scene.second);
  if (stage.pair.first === "Router") assertEquals(await scene.first.receive(), [SECOND_ID, "="]);
  if (stage.pair.first === "Dealer") assertEquals(await scene.first.receive(), ["="]);
  await stage.exchange(scene.first, scene.second, ["=hello"]);
}

async function probeIsOut(prober: TestSocket): Promise<void> {
  await prober.awaitEvent("handshake");
  await prober.nudge();
}

/** A REQ with `correlate` numbers its requests and skips answers to other numbers. */
export async function correlate(stage: Stage): Promise<void> {
  await using scene = await stage.open({ first: { correlate: true } });
  const { first, second } = scene;
  if (stage.pair.second === "Reply") {
    await stage.exchange(first, second, ["=one"]);
    await stage.exchange(first, second, ["=two"]);
    return;
  }
  const [, one] = await Promise.all([first.send(["=one"]), second.receive()]);
  const { peer, number } = numbered(one, "=one");
  await second.send([peer, "#fffefdfc", "=", "=to another request"]);
  await second.send([peer, number, "=", "=answer"]);
  assertEquals(await first.receiveBehindSkipped(), ["=answer"]);
  const [, two] = await Promise.all([first.send(["=two"]), second.echo()]);
  assertNotEquals(numbered(two, "=two").number, number);
  assertEquals(await first.receive(), ["=two"]);
}

/** With `relaxed` as well, a new request takes the place of an old one, whose answer is skipped. */
export async function relaxed(stage: Stage): Promise<void> {
  await using scene = await stage.open({ first: { correlate: true, relaxed: true } });
  const { first, second } = scene;
  await first.send(["=given up"]);
  await first.send(["=wanted"]);
  await second.echo(2);
  assertEquals(await first.receiveBehindSkipped(), ["=wanted"]);
  await Promise.all([first.send(["=next"]), second.echo()]);
  assertEquals(await first.receive(), ["=next"]);
}

function numbered(message: readonly string[], body: string): { peer: string; number: string } {
  const [peer = "", number = "", ...rest] = message;
  assertEquals(rest, ["=", body]);
  return { peer, number };
}
