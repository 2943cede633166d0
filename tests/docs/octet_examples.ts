// The conversations of PROTOCOL.md in octets: each is read, checked against the frames written above
// it, and played against the broker's own code. What a peer hears must be what the broker says.

import { Notation } from "../scenarios/notation.ts";
import { encodeFrames } from "../../protocol/dialogue/frames.ts";
import { PureBroker } from "../kit/pure_broker.ts";

/** One message of a conversation, as the document has it. */
interface Said {
  readonly peer: string;
  readonly hears: boolean;
  readonly frames: string;
  readonly hex: string;
}

/** Plays a conversation; gives what isn't as the document says, a line for each fault. */
export function playOctets(text: string): string[] {
  const broker = new PureBroker();
  const notation = new Notation();
  const faults: string[] = [];
  const unread = new Map<string, (readonly Uint8Array[])[]>();
  const listen = () => {
    for (const effect of broker.takeEffects()) {
      if (effect.what === "sent") unread.get(effect.peer)?.push(effect.frames);
      else faults.push(`the broker ${effect.what}`);
    }
  };
  for (const match of text.matchAll(/^(client|worker) is a (\w+)$/gm)) {
    const [, name = "", type = ""] = match;
    const who = { name, type, identity: new Uint8Array(0) };
    if (name === "client") broker.connectClient(who);
    else broker.connectWorker(who);
    unread.set(name, []);
  }
  for (const { peer, hears, frames, hex } of saidIn(text)) {
    if (hears) {
      const heard = unread.get(peer)?.shift() ?? [];
      // Writing it down also numbers the job ids in it.
      const written = notation.write(heard);
      if (encodeFrames(heard).toHex() !== hex) faults.push(`${peer} hears ${written}, not ${hex}`);
    } else {
      broker.say(peer, notation.read(frames));
      listen();
    }
    const octets = encodeFrames(notation.read(frames)).toHex();
    if (octets !== hex) faults.push(`${frames} is ${octets}, not ${hex}`);
  }
  for (const [peer, rest] of unread) {
    for (const frames of rest) faults.push(`${peer} hears ${notation.write(frames)} too`);
  }
  return faults;
}

/** The messages of a conversation, in order. */
function saidIn(text: string): Said[] {
  return [...text.matchAll(/^(\w+) (says|hears) (\[.*\])\n((?: {4}.*\n)+)/gm)].map((match) => ({
    peer: match[1]!,
    hears: match[2] === "hears",
    frames: match[3]!,
    hex: match[4]!.replace(/\s+/g, ""),
  }));
}
