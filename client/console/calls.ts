/**
 * Commands that make one call: ping, pingt, call, stream.
 *
 * @module
 */
import { shown } from "../../terminal/escape.ts";
import { EXIT, type ExitCode } from "../../terminal/exit_code.ts";
import { shortTime } from "../../terminal/histogram.ts";
import { UsageError } from "../../terminal/options.ts";
import { bytesText, countText } from "../../terminal/quantity.ts";
import { type Desk, fail, frameValue, printFrames, tell } from "./desk.ts";
import { digits } from "./summary.ts";

/** `ping`: EXEC PING; the broker says that it has it. */
export async function ping(desk: Desk): Promise<ExitCode> {
  const { client, io, options } = desk;
  const began = io.now();
  try {
    await client.send("PING", undefined, { ...options, accepted: true });
  } catch (error) {
    return fail(desk, "ping", error);
  }
  const took = io.now() - began;
  const value = { command: "ping", ok: true, milliseconds: digits(took) };
  tell(desk, [`accepted in ${shortTime(took)}`], value);
  return EXIT.ok;
}

/** `pingt`: TRACKEXEC PING; a worker answers. */
export async function pingt(desk: Desk): Promise<ExitCode> {
  const { client, io, options } = desk;
  const began = io.now();
  try {
    const result = await client.call("PING", undefined, options);
    const took = io.now() - began;
    const reply = frameValue(result.bytes);
    tell(desk, [`${shown(result.text())} in ${shortTime(took)}`], {
      command: "pingt",
      ok: true,
      reply,
      milliseconds: digits(took),
    });
    return EXIT.ok;
  } catch (error) {
    return fail(desk, "pingt", error);
  }
}

/** The name of a command and what stands behind it. */
export function readCall(word: string, rest: string): { command: string; payload: string } {
  const space = rest.search(/\s/);
  const command = space < 0 ? rest : rest.slice(0, space);
  if (command === "") {
    throw new UsageError(`${word} needs the name of a command: ${word} COMMAND [PAYLOAD]`);
  }
  if (new TextEncoder().encode(command).length > 255) {
    throw new UsageError(`${word}: the name of a command has at most 255 octets`);
  }
  return { command, payload: space < 0 ? "" : rest.slice(space).trim() };
}

/** What a payload stands for: `-` is all of standard input, nothing is no frame. */
async function payloadOf(payload: string, desk: Desk): Promise<string | Uint8Array | undefined> {
  if (payload !== "-") return payload === "" ? undefined : payload;
  if (desk.input === undefined) {
    throw new UsageError("The payload - is standard input, where the commands come from");
  }
  return await desk.input();
}

/** `call COMMAND [PAYLOAD]`. */
export async function call(desk: Desk, command: string, text: string): Promise<ExitCode> {
  const { client, io, options, json } = desk;
  const payload = await payloadOf(text, desk);
  const began = io.now();
  try {
    const { frames } = await client.call(command, payload, options);
    const milliseconds = digits(io.now() - began);
    if (!json) printFrames(desk, frames);
    else tell(desk, [], { command, ok: true, frames: frames.map(frameValue), milliseconds });
    return EXIT.ok;
  } catch (error) {
    return fail(desk, command, error);
  }
}

/** `stream COMMAND [PAYLOAD]`: chunks as they come, no faster than they are written. */
export async function stream(desk: Desk, command: string, text: string): Promise<ExitCode> {
  const { client, io, options, json, output, log } = desk;
  const payload = await payloadOf(text, desk);
  const began = io.now();
  let [chunks, octets] = [0, 0];
  try {
    for await (const { frames } of client.stream(command, payload, options)) {
      chunks++;
      for (const frame of frames) octets += frame.length;
      if (json) tell(desk, [], { chunk: frames.map(frameValue) });
      else printFrames(desk, frames);
      await output.flush();
      if (output.unread) break;
    }
  } catch (error) {
    await output.flush();
    return fail(desk, command, error);
  }
  const milliseconds = digits(io.now() - began);
  if (json) tell(desk, [], { command, ok: true, chunks, octets, milliseconds });
  else {
    const count = `${countText(chunks)} ${chunks === 1 ? "chunk" : "chunks"}`;
    log.answer(`${count}, ${bytesText(octets)} in ${shortTime(milliseconds)}`);
  }
  return EXIT.ok;
}
