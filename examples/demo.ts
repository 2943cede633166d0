/**
 * A Router and three Dealers exchange 10,000 messages on this machine, and a table says how it went.
 *
 * `deno run -q --allow-net=127.0.0.1 examples/demo.ts [--json] [--help]`. Ends with 0, with 1 if a
 * message was lost or came back wrong, with 2 if it was called wrongly.
 *
 * @module
 */
import { Dealer, Router } from "../mod.ts";

const MESSAGES = 10_000;
const DEALERS = ["ada", "ben", "cleo"];
/** Questions of one dealer that may be on their way at a time; far below the high-water mark. */
const WINDOW = 50;
/** A dealer that hears nothing for this long takes what it misses for lost. */
const PATIENCE_MS = 3000;
const BAR_CELLS = 40;

const HELP = `A Router and three Dealers exchange 10,000 messages.

Usage: deno task demo [--json]

  --json   print the figures as JSON and nothing else
  --help   print this
`;

/** What one dealer saw. */
interface Figures {
  readonly name: string;
  sent: number;
  answered: number;
  /** Answers that were not what was asked for. */
  wrong: number;
  seconds: number;
  /** Round trips in milliseconds. */
  readonly trips: number[];
}

const encoder = new TextEncoder();

/** Prints to the end, or not at all once nobody reads: the exit code still tells how it went. */
function print(text: string): void {
  const bytes = encoder.encode(text);
  try {
    for (let at = 0; at < bytes.length;) {
      at += Deno.stdout.writeSync(bytes.subarray(at));
    }
  } catch (error) {
    if (!(error instanceof Deno.errors.BrokenPipe)) throw error;
  }
}

/** Answers every message with its own body, until the socket is closed. */
async function answerAll(router: Router): Promise<void> {
  for await (const [identity, ...body] of router) {
    await router.send([identity!, ...body]);
  }
}

/** Sends `count` numbered messages, never more than WINDOW ahead of their answers. */
async function ask(
  endpoint: string,
  name: string,
  count: number,
  onAnswer: () => void,
): Promise<Figures> {
  const figures: Figures = {
    name,
    sent: 0,
    answered: 0,
    wrong: 0,
    seconds: 0,
    trips: [],
  };
  await using dealer = new Dealer({
    routingId: name,
    receiveTimeout: PATIENCE_MS,
  });
  dealer.connect(endpoint);
  const sentAt: number[] = [];
  const started = performance.now();
  while (figures.answered < count) {
    while (figures.sent < count && figures.sent - figures.answered < WINDOW) {
      sentAt.push(performance.now());
      await dealer.send(["job", figures.sent++]);
    }
    const answer = await dealer.receive().catch(() => undefined);
    if (answer === undefined) break;
    // Answers come in the order of the questions.
    const number = figures.answered++;
    if (answer.join(" ") !== `job ${number}`) figures.wrong++;
    figures.trips.push(performance.now() - sentAt[number]!);
    onAnswer();
  }
  figures.seconds = (performance.now() - started) / 1000;
  return figures;
}

/** Shows how far it is: a bar on a terminal, one marker for each tenth elsewhere. */
function progress(total: number): () => void {
  const live = Deno.stdout.isTerminal();
  let done = 0;
  let shown = -1;
  return () => {
    done++;
    const part = Math.floor(done / total * (live ? 100 : 10));
    if (part === shown) return;
    shown = part;
    if (!live) {
      if (part > 0) print(part < 10 ? `${part * 10}% ` : "100%\n");
      return;
    }
    const cells = Math.round(done / total * BAR_CELLS);
    const bar = "#".repeat(cells) + "-".repeat(BAR_CELLS - cells);
    const count = done.toLocaleString("en").padStart(7);
    print(`\r[${bar}] ${count}${done === total ? "\n" : ""}`);
  };
}

/** The time that the part `p` of all round trips stayed below. */
function percentile(sorted: readonly number[], p: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * p))] ??
    0;
}

function summary(name: string, all: readonly Figures[], seconds: number) {
  const trips = all.flatMap((it) => it.trips).sort((a, b) => a - b);
  const sum = (pick: (it: Figures) => number) => all.reduce((total, it) => total + pick(it), 0);
  const answered = sum((it) => it.answered);
  return {
    name,
    sent: sum((it) => it.sent),
    answered,
    wrong: sum((it) => it.wrong),
    perSecond: Math.round(answered / seconds),
    p50Ms: Number(percentile(trips, 0.5).toFixed(3)),
    p99Ms: Number(percentile(trips, 0.99).toFixed(3)),
  };
}

type Summary = ReturnType<typeof summary>;

function table(rows: readonly Summary[]): string {
  const head = ["dealer", "sent", "answered", "msg/s", "p50 ms", "p99 ms"];
  const whole = (value: number) => value.toLocaleString("en");
  const lines = [
    head,
    ...rows.map((row) => [
      row.name,
      whole(row.sent),
      whole(row.answered),
      whole(row.perSecond),
      row.p50Ms.toFixed(2),
      row.p99Ms.toFixed(2),
    ]),
  ];
  const widths = head.map((_, column) => Math.max(...lines.map((line) => line[column]!.length)));
  return lines.map((line) =>
    line.map((cell, column) =>
      column === 0 ? cell.padEnd(widths[column]!) : cell.padStart(widths[column]!)
    ).join("  ") + "\n"
  ).join("");
}

async function main(args: readonly string[]): Promise<number> {
  const unknown = args.find((it) => !["--json", "--help", "-h"].includes(it));
  if (unknown !== undefined) {
    print(`Unknown argument: ${unknown}\n\n${HELP}`);
    return 2;
  }
  if (args.includes("--help") || args.includes("-h")) {
    print(HELP);
    return 0;
  }
  const json = args.includes("--json");
  const router = new Router();
  await router.bind("tcp://127.0.0.1:*");
  const endpoint = router.lastEndpoint!;
  if (!json) {
    print(
      `A Router at ${endpoint} and ${DEALERS.length} Dealers: ` +
        `${
          MESSAGES.toLocaleString("en")
        } messages there and back,\nup to ${WINDOW} of each Dealer on their way at a time\n`,
    );
  }
  const answering = answerAll(router);
  const onAnswer = json ? () => {} : progress(MESSAGES);
  const started = performance.now();
  const each = Math.floor(MESSAGES / DEALERS.length);
  const all = await Promise.all(DEALERS.map((name, i) => {
    const extra = i < MESSAGES % DEALERS.length ? 1 : 0;
    return ask(endpoint, name, each + extra, onAnswer);
  }));
  const seconds = (performance.now() - started) / 1000;
  await router[Symbol.asyncDispose]();
  await answering;

  const dealers = all.map((it) => summary(it.name, [it], it.seconds));
  const total = summary("all", all, seconds);
  const lost = MESSAGES - total.answered;
  if (json) {
    const milliseconds = Math.round(seconds * 1000);
    print(
      JSON.stringify({ messages: MESSAGES, lost, milliseconds, dealers, total })
        .concat("\n"),
    );
  } else {
    print(`\n${table([...dealers, total])}\n`);
    print(
      lost === 0 && total.wrong === 0
        ? `Nothing was lost, in ${seconds.toFixed(2)} s.\n`
        : `${lost} lost, ${total.wrong} wrong.\n`,
    );
  }
  return lost === 0 && total.wrong === 0 ? 0 : 1;
}

if (import.meta.main) Deno.exit(await main(Deno.args));
