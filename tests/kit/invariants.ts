/**
 * What must hold of a broker's core at any time, whatever happened: every job stands where it says
 * it stands, every number is the sum that it claims to be, no deadline is left behind, and no job
 * waits while an eligible worker exists. Slow and plain on purpose; nothing is believed.
 *
 * @module
 */
import { assert, assertEquals } from "@std/assert";
import type { Client } from "../../broker/core/client.ts";
import type { Core } from "../../broker/core/core.ts";
import {
  ABANDONED,
  DATED,
  DEAD,
  type Jobs,
  NO_ROW,
  OPAQUE,
  type RowList,
  RUNNING,
  STREAM_JOB,
  WAITING,
} from "../../broker/core/jobs.ts";
import type { Service } from "../../broker/core/services.ts";
import type { State } from "../../broker/core/state.ts";
import type { Worker } from "../../broker/core/worker.ts";

/** Rows of a list, checked from both ends. */
export function rowsOf(jobs: Jobs, list: RowList): number[] {
  const rows: number[] = [];
  let before = NO_ROW;
  for (let row = list.first; row !== NO_ROW; row = jobs.next[row]!) {
    assertEquals(jobs.previous[row], before, "a row doesn't know its neighbour");
    rows.push(row);
    before = row;
  }
  assertEquals(list.last, before, "a list doesn't know its end");
  assertEquals(list.length, rows.length, "a list doesn't know its length");
  return rows;
}

function rowsOfClient(jobs: Jobs, list: RowList): number[] {
  const rows: number[] = [];
  for (let row = list.first; row !== NO_ROW; row = jobs.nextOfClient[row]!) rows.push(row);
  assertEquals(list.length, rows.length, "a client's list doesn't know its length");
  return rows;
}

/** Checks everything; throws at the first thing that doesn't hold. */
export function checkInvariants({ state }: Core): void {
  const workers = state.workers.filter((worker) => worker !== undefined);
  const clients = state.clients.filter((client) => client !== undefined);
  const services = [...state.services];
  for (const worker of workers) checkWorker(state, worker);
  for (const service of services) checkService(service, workers);
  const rows = checkRows(state, services, workers);
  checkClients(state, clients, rows);
  checkUsers(state, services, workers, rows);
  checkDues(state, clients, workers, rows);
  checkRequests(state, rows);
  checkCounters(state, rows);
}

function checkWorker({ jobs }: State, worker: Worker): void {
  const { free, capacity, running, owed, oneSlot, seats } = worker;
  assert(free >= 0 && free <= capacity, `free ${free} of ${capacity}`);
  for (const row of rowsOf(jobs, running)) {
    assertEquals(jobs.state[row], RUNNING);
    assertEquals(jobs.worker[row], worker.index);
  }
  if (oneSlot) {
    assertEquals(capacity, 1);
    assert(running.length + owed <= 1, "more than one job at a worker with one slot");
    assertEquals(free, 1 - running.length - owed, "the one slot is free if nothing is due");
  } else {
    assertEquals(owed, 0);
  }
  const inTable = worker.state === "in" && (!oneSlot || free === 1);
  for (const seat of seats) {
    assertEquals(seat.seated, inTable, `${worker.state} ${worker.dialect} seated`);
    if (inTable) assertEquals(seat.eligible, isEligible(worker), "eligible");
  }
}

/** Promise 6, in words of its own. */
function isEligible(worker: Worker): boolean {
  return worker.state === "in" && worker.free > 0 && !worker.blocked &&
    worker.running.length < 2 * worker.capacity;
}

function checkService(service: Service, workers: readonly Worker[]): void {
  const serving = workers.filter((worker) =>
    worker.seats.some((seat) => seat.service === service && seat.seated)
  );
  const turns = [...service.ring].map((seat) => seat.worker);
  assertEquals(new Set(turns).size, turns.length);
  assertEquals(turns.length, serving.length, "the table holds all who are in it");
  if (service.backlog.length === 0) return;
  const idle = workers.filter((worker) =>
    isEligible(worker) && worker.seats.some((seat) => seat.service === service)
  );
  assertEquals(idle.length, 0, "a job waits while an eligible worker exists");
}

/** All rows that are in use. */
function checkRows(
  state: State,
  services: readonly Service[],
  workers: readonly Worker[],
): number[] {
  const { jobs, dead } = state;
  const waiting = services.flatMap((service) => {
    const rows = rowsOf(jobs, service.backlog);
    for (const row of rows) {
      assertEquals(jobs.state[row], WAITING);
      assertEquals(jobs.service[row], service.index);
    }
    return rows;
  });
  const running = workers.flatMap((worker) => rowsOf(jobs, worker.running));
  const letters = [...dead].map(({ row }) => row);
  for (const row of letters) assertEquals(jobs.state[row], DEAD);
  const rows = [...waiting, ...running, ...letters];
  assertEquals(new Set(rows).size, rows.length, "a row stands in two lists");
  assertEquals(state.waiting, waiting.length);
  assertEquals(state.running, running.length);
  assertEquals(state.waitingBytes, sum(waiting, jobs), "octets that wait");
  assertEquals(dead.bytes, sum(letters, jobs), "octets of dead letters");
  assertEquals(jobs.size, rows.length, "rows in use");
  assertEquals(jobs.store.used, sum(rows, jobs), "octets in use");
  return rows;
}

function sum(rows: readonly number[], jobs: Jobs): number {
  return rows.reduce((total, row) => total + jobs.bytes[row]!, 0);
}

function checkClients(state: State, clients: readonly Client[], rows: readonly number[]): void {
  const { jobs } = state;
  let held = 0;
  for (const client of clients) {
    assertEquals(state.clients[client.index], client);
    const own = rowsOfClient(jobs, client.jobs);
    for (const row of own) assertEquals(jobs.client[row], client.index);
    assertEquals(client.streams, own.filter((row) => jobs.kind[row] === STREAM_JOB).length);
    held += own.length;
  }
  assertEquals(held, rows.filter((row) => jobs.client[row] !== NO_ROW).length);
}

function checkUsers(
  { jobs }: State,
  services: readonly Service[],
  workers: readonly Worker[],
  rows: readonly number[],
): void {
  const users = new Map<number, number>();
  const add = (index: number) => users.set(index, (users.get(index) ?? 0) + 1);
  for (const row of rows) add(jobs.service[row]!);
  for (const worker of workers) for (const { service } of worker.seats) add(service.index);
  for (const { index, users: claimed } of services) {
    assertEquals(claimed, users.get(index) ?? 0, "users of a service");
    users.delete(index);
  }
  assertEquals(users.size, 0, "a service was forgotten that is needed");
}

/** No deadline stands that nobody knows of, and none is missing. */
function checkDues(
  state: State,
  clients: readonly Client[],
  workers: readonly Worker[],
  rows: readonly number[],
): void {
  const { jobs, dates, runs, deadlines, streams } = state;
  const dues = [
    ...clients,
    ...workers,
    ...workers.map((worker) => worker.forgotten),
    ...dates.values(),
    ...runs.values(),
  ];
  assertEquals(deadlines.size, dues.filter((due) => due.place >= 0).length, "deadlines");
  for (const client of clients) assertEquals(client.place >= 0, client.away, "grace");
  for (const worker of workers) {
    if (worker.state === "in") assert(worker.place >= 0, "nobody looks after a worker");
  }
  const dated = rows.filter((row) => (jobs.flags[row]! & DATED) !== 0);
  assertEquals(dates.size, dated.length, "dates");
  for (const row of dated) {
    const date = dates.get(row);
    assertEquals(date?.row, row);
    if (jobs.state[row] === RUNNING) assertEquals(date!.place, -1);
  }
  for (const row of runs.keys()) assertEquals(jobs.state[row], RUNNING);
  const isLimited = state.settings.runLimit > 0;
  assertEquals(runs.size, isLimited ? state.running : 0, "limits of attempts");
  assertEquals(streams.size, rows.filter((row) => jobs.kind[row] === STREAM_JOB).length);
}

/** A native job that somebody may ask for is found by its id. */
function checkRequests({ jobs, requests }: State, rows: readonly number[]): void {
  let live = 0;
  for (const row of rows) {
    if (jobs.kind[row] === OPAQUE) continue;
    const at = jobs.at[row]! + jobs.envelopeBytes[row]!;
    if (requests.find(jobs.record(row), at) === row + 1) live++;
  }
  assertEquals(requests.size, live + requests.memory.size, "requests");
}

/**
 * Every job that was taken, or tried again by an operator, has ended in one way, or is still here:
 * a job that its client gave up or left behind has ended, though a worker may not know it yet.
 */
function checkCounters({ counters, jobs, waiting }: State, rows: readonly number[]): void {
  const { accepted, retried, completed, failed, cancelled, dropped } = counters;
  const wanted = rows.filter((row) =>
    jobs.state[row] === RUNNING && (jobs.flags[row]! & ABANDONED) === 0
  );
  const ended = completed + failed + cancelled + (dropped.get("client gone") ?? 0);
  assertEquals(accepted + retried, ended + waiting + wanted.length, "jobs add up");
}

/** After everybody left and all dead letters are gone, nothing is left. */
export function checkEmpty(core: Core): void {
  checkInvariants(core);
  const { state } = core;
  assertEquals(state.jobs.size, 0, "jobs are left");
  assertEquals(state.jobs.store.used, 0, "octets are left");
  assert(state.clients.every((client) => client === undefined), "a client is left");
  assert(state.workers.every((worker) => worker === undefined), "a worker is left");
  assertEquals(state.deadlines.size, 0, "a deadline is left");
  assertEquals([state.dates.size, state.runs.size, state.streams.size], [0, 0, 0]);
  assertEquals(state.requests.size, 0, "a request is left");
  assertEquals(state.holdings.used, 0, "answers are held for nobody");
  for (const { users } of state.services) assertEquals(users, 0, "a service is needed");
  assert(core.idle);
}
