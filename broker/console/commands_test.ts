/**
 * The commands of the console against a broker on a network in memory: what each view shows, and
 * what each verb does.
 *
 * @module
 */
import { assertEquals, assertMatch } from "@std/assert";
import { MemoryNetwork } from "../../protocol/io/memory_io.ts";
import { Dealer } from "../../protocol/sockets/dealer.ts";
import { isUnsafe } from "../../terminal/escape.ts";
import { widthOf } from "../../terminal/width.ts";
import { Broker } from "../broker.ts";
import type { BrokerOptions } from "../options.ts";
import type { Outcome } from "../../terminal/command_line.ts";
import { complete, runCommand } from "./commands.ts";

/** A broker with a console, and peers. */
async function world(options: BrokerOptions = {}) {
  const network = new MemoryNetwork();
  const broker = await Broker.start({
    frontend: "tcp://127.0.0.1:5555",
    backend: "tcp://127.0.0.1:5556",
    io: network.io("broker"),
    ...options,
  });
  const { views } = broker;
  const sockets: Dealer[] = [];
  const dealer = async (endpoint: string, host: string, ...first: (string | string[])[]) => {
    const socket = new Dealer({ io: network.io(host) });
    sockets.push(socket);
    socket.connect(endpoint);
    for (const message of first) await socket.send(message);
    await network.settle();
    return socket;
  };
  return {
    network,
    views,
    worker: (host: string, ...first: string[][]) => dealer(broker.backend, host, ...first),
    client: (...first: string[][]) => dealer(broker.frontend, "client", ...first),
    run: (line: string, width = Infinity): Outcome => runCommand(line, { views, width }),
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.close();
      const closed = broker.close({ now: true });
      await network.advance(2000);
      await closed;
    },
  };
}

const SIGNATURE = "\0ROTA\x01";

/** Headers that name a service, as ZMTP metadata. */
function serviceHeader(name: string): string {
  const [key, length] = ["service", `\0\0\0${String.fromCharCode(name.length)}`];
  return `${String.fromCharCode(key.length)}${key}${length}${name}`;
}

Deno.test("workers shows who is there, aligned, under a line that counts slots", async () => {
  await using it = await world();
  assertEquals(it.run("workers"), { view: ["0 workers, 0 of 0 slots free"] });
  await it.worker("a", ["", "REGISTER", "10", "service=resize", "service=default", "resizer"]);
  await it.worker("b", ["", "REGISTER", "20", "日本語"]);
  await it.worker("c", ["", "READY"]);
  await it.client(["", "job"]);
  await it.network.advance(1500);
  assertEquals(it.run("workers").view, [
    "3 workers, 30 of 31 slots free",
    "ADDRESS  DIALECT   SERVICES         FREE  IN FLIGHT  STATE  LAST SEEN",
    "日本語   REGISTER  default         20/20          0  idle   1.5 s ago",
    "#2       READY     default           1/1          0  idle   1.5 s ago",
    "resizer  REGISTER  resize,default   9/10          1  busy   1.5 s ago",
  ]);
});

Deno.test("workers tells who is known but out of the table", async () => {
  await using it = await world();
  await it.worker("a", ["", "REGISTER", "2", "w1"], ["", "DEREGISTER", "w1"]);
  await it.worker("b", ["", "REGISTER", "1", "w2"]);
  const [head, , ...rows] = it.run("workers").view!;
  assertEquals(head, "1 worker, 1 of 1 slot free; 1 known but not in the table");
  assertEquals(rows.map((row) => row.split(/ {2,}/)[0]), ["w2", "w1"]);
});

Deno.test("workers fits a terminal of 80 columns, and shows no name as it came", async () => {
  await using it = await world();
  await it.worker("a", ["", "REGISTER", "1", `service=${"s".repeat(100)}`, "w".repeat(200)]);
  await it.worker("b", ["", "REGISTER", "1", "\x1b[2J\n\u202eevil"]);
  const lines = it.run("workers", 80).view!;
  for (const line of lines) {
    assertEquals(widthOf(line) <= 80, true, line);
    for (const char of line) assertEquals(isUnsafe(char.codePointAt(0)!), false, line);
  }
  assertMatch(it.run("workers").view![2]!, /^\\x1b\[2J\\n\\u\{202e\}evil /);
  const [json] = it.run("workers --json").view!;
  assertEquals(JSON.parse(json!)[0].address, "\x1b[2J\n\u202eevil");
  for (const char of json!) assertEquals(isUnsafe(char.codePointAt(0)!), false);
});

Deno.test("running shows jobs at workers", async () => {
  await using it = await world();
  assertEquals(it.run("running"), { view: ["0 jobs running"] });
  await it.worker("a", ["", "REGISTER", "2", "w1"]);
  await it.client(["", "first"], ["", "second", "frame"]);
  await it.network.advance(65_000);
  assertEquals(it.run("running").view, [
    "2 jobs running",
    "JOB         AGE  ATTEMPT  WORKER  KIND    SERVICE  SIZE",
    "  0  1 min 05 s        1  w1      opaque  default   7 B",
    "  1  1 min 05 s        1  w1      opaque  default  15 B",
  ]);
  const jobs = JSON.parse(it.run("running --json").view![0]!);
  assertEquals(jobs[1].bytes, 15);
});

Deno.test("running tells how many there are where it doesn't list all", async () => {
  await using it = await world();
  await it.worker("a", ["", "REGISTER", "2000", "w1"]);
  await it.client(...Array.from({ length: 1001 }, () => ["", "x"]));
  const lines = it.run("running").view!;
  assertEquals([lines[0], lines.length], ["1,001 jobs running, the first 1,000:", 1002]);
  assertEquals(JSON.parse(it.run("running --json").view![0]!).length, 1001);
});

Deno.test("backlog shows what waits for each service, and marks one that nobody serves", async () => {
  await using it = await world();
  assertEquals(it.run("backlog"), { view: ["0 jobs waiting, 0 B"] });
  await it.worker("a", ["", "READY"]);
  const id = (n: number) => String(n).padStart(16, "0");
  const native = (n: number, service: string) => [
    ...["", SIGNATURE, "EXEC", id(n), "run", serviceHeader(service)],
  ];
  await it.client(["", "a"], ["", "b"], native(1, "resize\x1b"));
  await it.network.advance(2000);
  assertEquals(it.run("backlog").view?.slice(1), [
    "SERVICE     WAITING  OLDEST  WORKERS",
    "default           1   2.0 s        1",
    "resize\\x1b        1   2.0 s        0  no worker serves it",
  ]);
  assertMatch(it.run("backlog").view![0]!, /^2 jobs waiting, [0-9]+ B$/);
  const services = JSON.parse(it.run("backlog --json").view![0]!);
  assertEquals(services.map(({ name, workers }: Record<string, unknown>) => [name, workers]), [
    ["default", 1],
    ["resize\x1b", 0],
  ]);
});

Deno.test("stats shows all that is counted, in 80 columns", async () => {
  await using it = await world();
  await it.worker("a", ["", "READY"], ["nonsense"]);
  await it.client(["", "job"]);
  const lines = it.run("stats").view!;
  assertEquals(lines.filter((line) => line.length > 80), []);
  assertMatch(lines.join("\n"), /^jobs +accepted 1, dispatched 1, completed 0, failed 0,/);
  assertMatch(lines.join("\n"), /\ndropped +no envelope 1\n/);
  assertMatch(lines.join("\n"), /\nworker faults +none$/);
  const snapshot = JSON.parse(it.run("stats --json").view![0]!);
  assertEquals([snapshot.jobs.accepted, snapshot.workers, snapshot.dropped], [1, 1, {
    "no envelope": 1,
  }]);
});

Deno.test("dead, retry and drop deal with dead letters", async () => {
  await using it = await world({ maxAttempts: 1 });
  assertEquals(it.run("dead"), { view: ["0 dead letters"] });
  await it.worker("lost", ["", "REGISTER", "4", "w1"]);
  await it.client(["", "a"], ["", "b"], ["", "c"], ["", "d"]);
  it.network.cut("lost", "broker");
  await it.network.advance(1);
  const [head, names, ...rows] = it.run("dead").view!;
  assertEquals(head, "4 dead letters");
  assertMatch(names!, /^ID +CODE +KIND +SERVICE +SIZE +ENDED$/);
  assertEquals(rows[0], " 1  WORKER_LOST  opaque  default   3 B  1 ms ago");
  assertEquals(rows.length, 4);
  assertEquals(it.run("retry 2"), { say: ["dead letter 2 tried again"] });
  assertEquals(it.run("retry 2"), { say: ["There is no dead letter 2; dead lists them"] });
  assertEquals(it.run("drop 1"), { say: ["dead letter 1 dropped"] });
  assertEquals(it.run("dead --json").view!.map((json) => JSON.parse(json).length), [2]);
  assertEquals(it.run("retry all"), { say: ["2 dead letters tried again"] });
  assertEquals(it.run("drop all"), { say: ["0 dead letters dropped"] });
  assertEquals(it.views.snapshot().jobs.waiting, 3);
  for (const rest of ["", "x", "-1", "1.5", "1 2"]) {
    assertEquals(it.run(`drop ${rest}`), { say: ["drop takes the id of a dead letter, or all"] });
  }
});

Deno.test("exit tells workers to leave, by the name that is shown", async () => {
  await using it = await world();
  const names = ["w1", "my worker", "\x1b[2J", "all", 'say "hi"'];
  const workers: Dealer[] = [];
  for (const [i, name] of names.entries()) {
    workers.push(await it.worker(`host ${i}`, ["", "REGISTER", "1", name]));
  }
  const told = { say: ["1 worker told to leave"] };
  assertEquals(it.run("exit w1"), told);
  assertEquals(it.run("exit w1"), { say: ["The worker w1 is not in the table"] });
  assertEquals(it.run("exit   my worker "), told);
  assertEquals(it.run("exit \\x1b[2J"), told);
  assertEquals(it.run('exit "all"'), told);
  assertEquals(it.run("exit w7"), { say: ["There is no worker w7; did you mean w1?"] });
  assertEquals(it.run("exit potato"), { say: ["There is no worker potato; workers lists them"] });
  assertMatch(it.run("exit").say![0]!, /quit ends the broker/);
  assertEquals(it.run("exit all"), told);
  await it.network.settle();
  for (const worker of workers) {
    assertEquals(String((await worker.receive())[1]), "REGISTERED");
    assertEquals((await worker.receive()).map(String), ["", "EXIT"]);
  }
});

Deno.test("runCommand() knows help, quit, nothing, and what is none of them", async () => {
  await using it = await world();
  assertEquals(it.run("help").say!.length, 11);
  assertEquals(it.run("help").say!.every((line) => line.length <= 80), true);
  assertEquals(it.run(" quit "), { quit: true });
  for (const line of ["", "   ", "\t"]) assertEquals(it.run(line), {});
  const bad: [string, string][] = [
    ["worker", "There is no command worker; did you mean workers?"],
    ["Quit", "There is no command Quit; did you mean quit?"],
    ["potato", "There is no command potato; help lists all"],
    ["\x1b[2J", "There is no command \\x1b[2J; help lists all"],
    ["workers --jsn", "workers takes no --jsn; try: workers --json"],
    ["quit now", "quit takes no now; try: quit"],
    ["__proto__", "There is no command __proto__; help lists all"],
  ];
  for (const [line, answer] of bad) assertEquals(it.run(line), { say: [answer] });
});

Deno.test("complete() offers commands, addresses, ids and --json", async () => {
  await using it = await world({ maxAttempts: 1 });
  await it.worker("lost", ["", "READY"]);
  await it.client(["", "job"]);
  it.network.cut("lost", "broker");
  await it.worker("a", ["", "REGISTER", "1", "my worker"]);
  await it.worker("b", ["", "REGISTER", "1", "mine"]);
  const table: [string, [string[], string]][] = [
    ["wo", [["workers "], "wo"]],
    ["  d", [["dead ", "drop "], "d"]],
    ["x", [[], "x"]],
    ["workers ", [["--json"], ""]],
    ["workers --j", [["--json"], "--j"]],
    ["retry ", [["all", "1"], ""]],
    ["drop a", [["all"], "a"]],
    ["exit m", [["mine"], "m"]],
    ['exit "', [['"my worker"'], '"']],
    ["quit ", [[], ""]],
    ["potato x", [[], "x"]],
  ];
  for (const [line, expected] of table) assertEquals(complete(line, it.views), expected, line);
  assertEquals(complete("", it.views)[0].length, 10);
});
