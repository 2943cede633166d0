// The conversations of PROTOCOL.md in octets: each is read, checked against the frames written above
// it, and played against the broker's own code. What a peer hears must be what the broker says. Job
// ids are the broker's choice: any will do, as long as one conversation has one.

import { encodeFrames } from "../../protocol/dialogue/frames.ts";
import { isJobId } from "../../protocol/dialogue/job_id.ts";
import { PureBroker } from "../kit/pure_broker.ts";
import { Notation } from "../scenarios/notation.ts";

/** One message of a conversation, as the document has it. */
interface Said {
  readonly peer: string;
  readonly hears: boolean;
  readonly frames: string;
  /** A line for each frame. */
  readonly lines: readonly string[];
}

const JOB_ID = /^0109(00[0-9a-f]{16})$/;

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
  const all = saidIn(text);
  for (const { peer, hears, frames, lines } of all) {
    const written = lines.map((line) => line.replace(JOB_ID, "job")).join(" ");
    const check = (real: readonly Uint8Array[], who: string) => {
      const octets = linesOf(real).join(" ");
      if (octets !== written) faults.push(`${who} ${octets}, not ${written}`);
    };
    if (hears) {
      const heard = unread.get(peer)?.shift() ?? [];
      // Writing it down numbers the job ids in it.
      notation.write(heard);
      check(heard, `${peer} hears`);
    } else {
      broker.say(peer, notation.read(frames));
      listen();
    }
    check(notation.read(frames), `${frames} is`);
  }
  const ids = all.flatMap(({ lines }) => lines.flatMap((line) => JOB_ID.exec(line)?.[1] ?? []));
  if (new Set(ids).size > 1) faults.push(`several job ids: ${ids}`);
  for (const [peer, rest] of unread) {
    for (const frames of rest) faults.push(`${peer} hears ${notation.write(frames)} too`);
  }
  return faults;
}

/** The octets of a message, a line for each frame; of a job id only that it is one. */
function linesOf(frames: readonly Uint8Array[]): string[] {
  return frames.map((frame, i) =>
    isJobId(frame, 0, frame.length) ? "job" : encodeFrames([frame], i < frames.length - 1).toHex()
  );
}

/** The messages of a conversation, in order. */
function saidIn(text: string): Said[] {
  return [...text.matchAll(/^(\w+) (says|hears) (\[.*\])\n((?: {4}.*\n)+)/gm)].map((match) => ({
    peer: match[1]!,
    hears: match[2] === "hears",
    frames: match[3]!,
    lines: match[4]!.trim().split("\n").map((line) => line.replace(/\s+/g, "")),
  }));
}
