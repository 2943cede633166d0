/**
 * Rota's own worker, in either dialect.
 *
 * @module
 */
import { type Handlers, type Job, JobError, Worker } from "../../../worker/mod.ts";
import { octets } from "../../../protocol/dialogue/words.ts";
import { Labour, type Task } from "../labour.ts";
import type { SimProcess } from "../process.ts";
import { markText } from "../tokens.ts";
import { BACKEND, type Part, type Role, type Stage } from "../stage.ts";

/** How it is set. */
export interface RotaWorkerOptions {
  readonly dialect: "register" | "ready";
  readonly slots: number;
  readonly services: readonly string[];
}

/** A Rota worker. Its name in the broker's table is that of its process. */
export function rotaWorker({ dialect, slots, services }: RotaWorkerOptions): Role {
  return (process, stage): Part => {
    const abort = new AbortController();
    const labour = new Labour(process, stage, services);
    const started = Worker.start({
      broker: BACKEND,
      io: process.io,
      dialect,
      slots,
      address: process.title,
      services: dialect === "ready" ? [] : services,
      drainSeconds: 3,
      signal: abort.signal,
      ...handlersOf(labour, process, stage),
    });
    stage.guard(
      process.name,
      started.catch((error) => {
        if (!abort.signal.aborted) throw error;
      }),
    );
    let worker: Worker | undefined;
    started.then((it) => {
      worker = it;
      it.closed.then(() => stage.left(process));
    }, () => {});
    return {
      close: async () => {
        if (worker === undefined) abort.abort(new Error("it is to leave"));
        else await worker.close();
      },
    };
  };
}

function handlersOf(
  labour: Labour,
  process: SimProcess,
  stage: Stage,
): { handlers: Handlers; defaultHandler: (job: Job) => Promise<Uint8Array> } {
  const begin = (job: Job) => labour.begin([octets(job.command), ...job.frames]);
  const work = async (job: Job): Promise<Uint8Array> => {
    const task = begin(job);
    await endure(task, job, process);
    return task.answer;
  };
  return {
    handlers: {
      echo: work,
      poison: work,
      fail: async (job) => {
        const task = begin(job);
        await endure(task, job, process);
        throw new JobError("FAILED", markText(task.token, task.run));
      },
      chunks: (job) => chunks(begin(job), process, stage),
    },
    defaultHandler: work,
  };
}

/** A handler that listens to its signal stops; others don't. */
async function endure(task: Task, job: Job, process: SimProcess): Promise<void> {
  await process.pass(task.milliseconds);
  if (process.dice.chance(0.5)) job.signal.throwIfAborted();
}

async function* chunks(task: Task, process: SimProcess, stage: Stage): AsyncGenerator<string> {
  for (let i = 0; i < task.wanted; i++) {
    if (stage.phase === "busy") await process.pass(process.dice.between(0, task.milliseconds / 2));
    yield `${markText(task.token, task.run)}${i}`;
  }
}
