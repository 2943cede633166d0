/**
 * Reads a stream, sometimes slowly, sometimes not to its end, and sees that no chunk is missing.
 *
 * @module
 */
import type { ResultStream } from "../../../client/mod.ts";
import type { Submission } from "../books.ts";
import type { SimProcess } from "../process.ts";
import type { Stage } from "../stage.ts";
import { type Mark, markIn, markOf } from "../tokens.ts";

/** The mark of the run that gave the stream, or that it had no chunk, or that the reader left. */
export async function readStream(
  stream: ResultStream,
  { token, what }: Submission,
  wanted: number,
  process: SimProcess,
  stage: Stage,
): Promise<Mark | "empty" | "left"> {
  const { dice } = process;
  const slow = dice.chance(0.3) ? dice.between(0, 800) : 0;
  const most = dice.chance(0.1) ? dice.whole(0, wanted) : Infinity;
  let mark: Mark | undefined;
  let count = 0;
  const look = (next: Mark | undefined, index: number | undefined) => {
    stage.findings.expect(
      "the chunks of a stream come in order, from one run, and all of them",
      next?.token === token && (mark === undefined || mark.number === next.number) &&
        (index === undefined || index === count),
      () => `${what} ${token}: chunk ${count} is ${next?.token}/${next?.number}/${index}`,
    );
    mark = next;
    count = index === undefined ? wanted : count + 1;
  };
  for await (const { frames } of stream) {
    if (count >= most) return "left";
    const isWhole = indexOf(frames[0]) === undefined;
    if (isWhole && frames[0]?.length === 0 && wanted === 0) return "empty";
    if (isWhole) look(markOf(frames), undefined);
    else for (const frame of frames) look(markIn(frame, 0, frame.length), indexOf(frame));
    if (slow > 0) await process.pass(dice.between(0, slow));
  }
  stage.findings.expect(
    "the chunks of a stream come in order, from one run, and all of them",
    count === wanted,
    () => `${what} ${token} ended after ${count} of ${wanted} chunks`,
  );
  return mark ?? "empty";
}

/** The number of a chunk; undefined for the whole answer of a plain worker. */
function indexOf(frame: Uint8Array | undefined): number | undefined {
  const text = new TextDecoder().decode(frame?.subarray(0, 64)).split("~")[3] ?? "";
  return /^\d+$/.test(text) ? Number(text) : undefined;
}
