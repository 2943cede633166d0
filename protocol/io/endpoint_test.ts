import { assertEquals, assertStringIncludes, assertThrows } from "@std/assert";
import { ArgumentError } from "../errors.ts";
import { type EndpointUse, formatEndpoint, parseEndpoint } from "./endpoint.ts";

function refusal(text: unknown, use: EndpointUse): ArgumentError {
  return assertThrows(() => parseEndpoint(text as string, use), ArgumentError);
}

Deno.test("parseEndpoint() reads addresses and names for both uses", () => {
  for (const use of ["bind", "connect"] as const) {
    const read = (text: string) => parseEndpoint(text, use);
    assertEquals(read("tcp://127.0.0.1:5555"), {
      hostname: "127.0.0.1",
      port: 5555,
    });
    assertEquals(read("tcp://[::1]:1"), { hostname: "::1", port: 1 });
    assertEquals(read("tcp://[::ffff:10.0.0.1]:65535"), {
      hostname: "::ffff:10.0.0.1",
      port: 65535,
    });
    assertEquals(read("tcp://my_host-1.example:80"), {
      hostname: "my_host-1.example",
      port: 80,
    });
  }
});

Deno.test("parseEndpoint() takes open hosts and ports for binding only", () => {
  const open: [string, string, number][] = [
    ["tcp://*:5555", "0.0.0.0", 5555],
    ["tcp://127.0.0.1:*", "127.0.0.1", 0],
    ["tcp://127.0.0.1:0", "127.0.0.1", 0],
    ["tcp://*:*", "0.0.0.0", 0],
    ["tcp://[::]:*", "::", 0],
  ];
  for (const [text, hostname, port] of open) {
    assertEquals(parseEndpoint(text, "bind"), { hostname, port });
    assertEquals(refusal(text, "connect").code, "EINVAL");
  }
});

Deno.test("parseEndpoint() refuses what is no endpoint", () => {
  const bad: unknown[] = [
    undefined,
    null,
    5555,
    {},
    "",
    "tcp",
    "tcp:",
    "tcp://",
    "tcp://:",
    "tcp://:5555",
    "tcp://127.0.0.1",
    "tcp://127.0.0.1:",
    "tcp://[::1]",
    "tcp://[::1]5555",
    "tcp://[]:5555",
    "tcp://[zz::]:5555",
    "tcp://::1:5555",
    "tcp://127.0.0.1:65536",
    "tcp://127.0.0.1:-1",
    "tcp://127.0.0.1:+1",
    "tcp://127.0.0.1:0x50",
    "tcp://127.0.0.1:1e3",
    "tcp://127.0.0.1: 80",
    "tcp://127.0.0.1:80/",
    "tcp://a b:80",
    "tcp://a..b:80",
    "tcp://.a:80",
    "tcp://-a:80",
    "tcp://a;b:80",
    "TCP://127.0.0.1:80",
    "http://127.0.0.1:80",
    "127.0.0.1:80",
    " tcp://127.0.0.1:80",
    `tcp://${"a".repeat(254)}:80`,
    `tcp://${"a".repeat(1_000_000)}:80`,
  ];
  for (const text of bad) {
    const error = refusal(text, "bind");
    assertEquals(error.code, "EINVAL");
    assertStringIncludes(error.message, "Cannot bind: ");
    assertStringIncludes(error.message, "looks like tcp://127.0.0.1:5555");
    assertEquals(error.message.length < 300, true);
  }
});

Deno.test("parseEndpoint() names the transports that it doesn't speak", () => {
  for (
    const text of [
      "ipc:///tmp/x",
      "inproc://x",
      "pgm://eth0;1.1.1.1:1",
      "ws://a:1",
      "udp://a:1",
    ]
  ) {
    const error = refusal(text, "connect");
    assertEquals(error.code, "EPROTONOSUPPORT");
    assertStringIncludes(error.message, "Cannot connect: the transport ");
  }
});

Deno.test("formatEndpoint() puts IPv6 addresses in brackets", () => {
  const texts = ["tcp://0.0.0.0:5555", "tcp://[::1]:1", "tcp://host:65535"];
  for (const text of texts) {
    assertEquals(formatEndpoint(parseEndpoint(text, "bind")), text);
  }
});
