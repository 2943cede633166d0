/**
 * What the guard looks at: work that Rota and a naive reference do in the same process, and counts
 * that don't depend on any clock.
 *
 * @module
 */
import { Jobs, rowList, WAITING } from "../../broker/core/jobs.ts";
import { emptySeat, Ring, type Seat } from "../../broker/core/ring.ts";
import { Budget } from "../../protocol/engine/budget.ts";
import { Outbox } from "../../protocol/engine/outbox.ts";
import { InputBuffer } from "../../protocol/zmtp/input_buffer.ts";
import { WIRE_LIMITS } from "../../protocol/zmtp/limits.ts";
import { MESSAGE, MessageReader } from "../../protocol/zmtp/message_reader.ts";
import { OutputBatch } from "../../protocol/zmtp/output_batch.ts";
import { expected } from "../../tests/conformance/reference.ts";
import { MemoryBroker, requests } from "../kit/memory_broker.ts";
import { encodeNaively } from "./naive_codec.ts";
import { NaiveLoop } from "./naive_loop.ts";

/** The same work, done by both. Each throws if something is missing at its end. */
export interface Case {
  readonly name: string;
  readonly rota: () => void;
  readonly naive: () => void;
}

/** A number that is the same on every machine; more is worse. */
export interface Count {
  readonly name: string;
  readonly count: () => number;
}

const MESSAGES = 100;
const SHAPES: readonly (readonly [name: string, sizes: readonly number[]])[] = [
  ["frames of 32 B", [32]],
  ["five frames of 0 to 32 B", [5, 0, 8, 3, 32]],
  ["frames of 1 KiB", [1024]],
];

function check(isFine: boolean): void {
  if (!isFine) throw new Error("Cannot measure: something is missing");
}

function framesOf(sizes: readonly number[]): Uint8Array[] {
  return sizes.map((size) => new Uint8Array(size).fill(97));
}

function reading(name: string, sizes: readonly number[]): Case {
  const memory = new Budget();
  const batch = new OutputBatch(memory, 1024);
  for (let i = 0; i < MESSAGES; i++) batch.message(framesOf(sizes));
  const wire = batch.bytes.slice(0, batch.length);
  const reader = new MessageReader(WIRE_LIMITS);
  const input = new InputBuffer(memory);
  return {
    name: `reading ${name}`,
    rota: () => {
      input.bytes = wire;
      input.head = 0;
      input.tail = wire.length;
      reader.begin(input);
      let found = 0;
      while (reader.next() === MESSAGE) found++;
      check(found === MESSAGES);
    },
    naive: () => check(expected(wire, WIRE_LIMITS, true).messages === MESSAGES),
  };
}

function writing(name: string, sizes: readonly number[]): Case {
  const memory = new Budget();
  const frames = framesOf(sizes);
  const messages = Array.from({ length: MESSAGES }, () => frames);
  const { length } = encodeNaively(messages);
  return {
    name: `writing ${name}`,
    rota: () => {
      const batch = new OutputBatch(memory, length);
      for (const message of messages) batch.message(message);
      check(batch.length === length);
      batch.release();
    },
    naive: () => check(encodeNaively(messages).length === length),
  };
}

function jobs(workers: number, slots: number, window: number): Case {
  const broker = new MemoryBroker();
  for (let i = 0; i < workers; i++) broker.addWorker(slots);
  const { bytes, length } = requests(window, 32);
  const naive = new NaiveLoop(workers, slots);
  const body = "a".repeat(32);
  return {
    name: `jobs through ${workers} workers of ${slots}`,
    rota: () => {
      broker.submit(bytes, length);
      broker.work();
      check(broker.collect() === window);
    },
    naive: () => check(naive.run(window, body) === window),
  };
}

/** All work that is timed. */
export const CASES: readonly Case[] = [
  ...SHAPES.map(([name, sizes]) => reading(name, sizes)),
  ...SHAPES.map(([name, sizes]) => writing(name, sizes)),
  jobs(4, 10, 40),
  jobs(100, 1, 100),
];

/** Steps that it takes to find the one free worker of a thousand, and to seat it again. */
function ringSteps(): number {
  const ring = new Ring<Seat>();
  const seats = Array.from({ length: 1000 }, () => emptySeat());
  for (const seat of seats) ring.add(seat);
  const before = ring.steps;
  for (let i = 0, place = 0; i < 1000; i++) {
    place = (place + 7919) % seats.length;
    ring.setEligible(seats[place]!, true);
    const seat = ring.first()!;
    ring.pass(seat);
    ring.setEligible(seat, false);
  }
  return (ring.steps - before) / 1000;
}

/** Octets of columns and segments that one of 100,000 waiting jobs of 100 B holds. */
function waitingOctets(): number {
  const jobs = new Jobs();
  const backlog = rowList();
  for (let i = 0; i < 100_000; i++) {
    const row = jobs.make(2, 102);
    jobs.state[row] = WAITING;
    jobs.push(backlog, row);
  }
  const columns = Object.values(jobs).filter((column) => ArrayBuffer.isView(column));
  return columns.reduce((sum, column) => sum + column.byteLength, jobs.store.held) / 100_000;
}

/** Buffers that are taken for 100 turns with 40 messages to one peer each. */
function buffersTaken(): number {
  const budget = new Budget();
  let taken = 0;
  const memory = {
    take: (size: number) => {
      taken++;
      return budget.take(size);
    },
    give: (bytes: Uint8Array) => budget.give(bytes),
  };
  const outbox = new Outbox(memory);
  const frames = framesOf([0, 32]);
  for (let turn = 0; turn < 100; turn++) {
    for (let i = 0; i < 40; i++) outbox.batch().message(frames);
    outbox.take()!.release();
  }
  return taken;
}

/** All counts. */
export const COUNTS: readonly Count[] = [
  { name: "steps to the one free worker of 1,000", count: ringSteps },
  { name: "octets of a waiting job of 100 B", count: waitingOctets },
  { name: "buffers for 100 turns of 40 messages", count: buffersTaken },
];
