import { assertEquals, assertStrictEquals } from "@std/assert";
import { DELIMITER } from "../../protocol/dialogue/envelope.ts";
import { keyOf, octets } from "../../protocol/dialogue/words.ts";
import { MemoryOutlet } from "../../tests/kit/memory_outlet.ts";
import { Services } from "./services.ts";
import { type Dialect, seatOf, Worker, WorkerConnection, type WorkerState } from "./worker.ts";

const DIALECTS: readonly Dialect[] = ["READY", "REGISTER", "REQ", "REP"];
const ABSENT: readonly WorkerState[] = ["out", "expired", "gone"];

function workerOf(dialect: Dialect): Worker {
  const connection = new WorkerConnection(new MemoryOutlet(() => {}), "DEALER", octets("w7"));
  return new Worker(4, connection, DELIMITER, keyOf(DELIMITER), dialect);
}

Deno.test("Worker starts with one free slot, known by its connection's identity", () => {
  const worker = workerOf("READY");
  assertEquals([worker.free, worker.capacity, worker.running.length], [1, 1, 0]);
  assertEquals(worker.address, octets("w7"));
  assertEquals([worker.eligible, worker.place, worker.forgotten.place], [true, -1, -1]);
  assertStrictEquals(worker.forgotten.worker, worker);
});

Deno.test("Worker.eligible needs a free slot, room for output, and a place in the table", () => {
  for (const dialect of DIALECTS) {
    const worker = workerOf(dialect);
    worker.capacity = worker.free = 3;
    assertEquals(worker.eligible, true);
    worker.free = 0;
    assertEquals(worker.eligible, false);
    worker.free = 1;
    worker.blocked = true;
    assertEquals(worker.eligible, false);
    worker.blocked = false;
    for (const state of ABSENT) {
      worker.state = state;
      assertEquals(worker.eligible, false);
    }
    worker.state = "in";
    assertEquals(worker.eligible, true);
  }
});

Deno.test("Worker.eligible ends at twice as many unanswered jobs as there are slots", () => {
  const worker = workerOf("REGISTER");
  for (const capacity of [1, 3, 65_535]) {
    worker.capacity = worker.free = capacity;
    worker.running.length = 2 * capacity - 1;
    assertEquals(worker.eligible, true);
    worker.running.length = 2 * capacity;
    assertEquals(worker.eligible, false);
  }
});

Deno.test("Worker.oneSlot is true of all but REGISTER", () => {
  const found = DIALECTS.map((dialect) => workerOf(dialect).oneSlot);
  assertEquals(found, [true, false, true, true]);
});

/** Who may expire, as [never pinged, pinged, pings while it works]; idle and busy. */
const EXPIRY: Record<Dialect, { idle: boolean[]; busy: boolean[] }> = {
  READY: { idle: [true, true, true], busy: [false, false, true] },
  REGISTER: { idle: [false, true, true], busy: [false, false, true] },
  REQ: { idle: [false, false, true], busy: [false, false, true] },
  REP: { idle: [false, false, true], busy: [false, false, true] },
};

for (const dialect of DIALECTS) {
  Deno.test(`Worker.mayExpire tells whose silence means something: ${dialect}`, () => {
    const ask = (busy: (worker: Worker) => void): boolean[] =>
      [[false, false], [true, false], [true, true]].map(([pings, pingsWorking]) => {
        const worker = workerOf(dialect);
        worker.pings = pings!;
        worker.pingsWorking = pingsWorking!;
        busy(worker);
        return worker.mayExpire;
      });
    assertEquals(ask(() => {}), EXPIRY[dialect].idle);
    assertEquals(ask((worker) => worker.running.length = 1), EXPIRY[dialect].busy);
    assertEquals(ask((worker) => worker.owed = 1), EXPIRY[dialect].busy);
    for (const state of ABSENT) {
      assertEquals(ask((worker) => worker.state = state), [false, false, false]);
    }
  });
}

Deno.test("seatOf() gives a seat of its own that stands in no ring yet", () => {
  const worker = workerOf("READY");
  const { main } = new Services(1);
  const [seat, other] = [seatOf(worker, main), seatOf(worker, main)];
  assertStrictEquals(seat.worker, worker);
  assertStrictEquals(seat.service, main);
  assertEquals([seat.seated, seat.eligible], [false, false]);
  main.ring.add(seat);
  assertEquals([seat.seated, other.seated, main.ring.size], [true, false, 1]);
});
