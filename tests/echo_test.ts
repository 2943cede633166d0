/**
 * The example for other languages as its users start it: a process that is asked and then stopped.
 *
 * @module
 */
import { assertEquals, assertMatch } from "@std/assert";
import { Request as RequestSocket } from "../mod.ts";

const ECHO = new URL("../examples/echo.ts", import.meta.url).href;

Deno.test("echo answers in capitals, frame by frame, and ends with 0 at Ctrl-C", async () => {
  const child = new Deno.Command(Deno.execPath(), {
    args: ["run", "-q", "--no-prompt", "--allow-net=127.0.0.1", ECHO, "tcp://127.0.0.1:*"],
    stdin: "null",
    stdout: "piped",
    stderr: "piped",
  }).spawn();
  const output = child.stdout.pipeThrough(new TextDecoderStream()).getReader();
  const { value: line = "" } = await output.read();
  const endpoint = /tcp:\/\/127\.0\.0\.1:[0-9]+/.exec(line)?.[0] ?? "";
  assertMatch(line, /^A Reply at tcp:.* answers in capitals/);
  {
    await using request = new RequestSocket();
    request.connect(endpoint);
    await request.send(["hello", "there"]);
    assertEquals((await request.receive()).map(String), ["HELLO", "THERE"]);
  }
  child.kill("SIGINT");
  assertEquals((await output.read()).done, true);
  assertEquals(new TextDecoder().decode(await child.stderr.bytes()), "");
  assertEquals((await child.status).code, 0);
});
