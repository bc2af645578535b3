import { Worker } from 'node:worker_threads';
import { Unavailable } from '../database/engine.ts';
import type { Outcome } from './group.ts';
import type { Command } from './verbs.ts';
import { Lane, type Writer } from './writer.ts';

/** A group of changes for the thread to make; no changes at all: the writer has done with its file. */
export interface Task {
  readonly writer: number;
  readonly path: string;
  readonly commands: readonly Command[];
}

export interface Reply {
  readonly writer: number;
  readonly outcomes?: Outcome[];
  readonly failed?: string;
}

/** Writes on another thread, so that waiting for the disk never holds up a request. */
export function openSqliteWriter(path: string): Writer {
  const writer = ++opened;
  const lane = new Lane((commands) => {
    users.add(writer);
    return ask({ writer, path, commands });
  });
  return {
    apply: (verb, args) => lane.submit({ verb, args }) as never,
    async warmUp() {
      users.add(writer);
      await ask({ writer: ++opened, path, commands: [] }).catch(() => {});
    },
    async close() {
      await lane.idle();
      await release({ writer, path, commands: [] });
    },
  };
}

let opened = 0;
/** One thread for all files: a second would cost more memory than all that it has to remember. */
let thread: Worker | undefined;
/** What the thread was asked and has not answered yet: at most one group for each writer. */
const asked = new Map<number, PromiseWithResolvers<Outcome[]>>();
/** Writers that have used the thread and not let go of it. */
const users = new Set<number>();

function ask(task: Task): Promise<Outcome[]> {
  const answer = Promise.withResolvers<Outcome[]>();
  asked.set(task.writer, answer);
  thread ??= start();
  thread.postMessage(task);
  return answer.promise;
}

async function release(task: Task): Promise<void> {
  if (!users.has(task.writer)) return;
  await ask(task).catch(() => {});
  users.delete(task.writer);
  if (users.size > 0) return;
  const unused = thread;
  thread = undefined;
  await unused?.terminate();
}

function start(): Worker {
  const worker = new Worker(new URL('./sqlite-writer-thread.ts', import.meta.url), {
    // What it makes is soon forgotten: it needs little room for it.
    resourceLimits: { maxYoungGenerationSizeMb: 4 },
  });
  let reason: unknown;
  worker.on('message', ({ writer, outcomes, failed }: Reply) => {
    const answer = asked.get(writer);
    asked.delete(writer);
    if (outcomes) answer?.resolve(outcomes);
    else answer?.reject(new Unavailable(`the database cannot be written to: ${failed}`));
  });
  worker.once('error', (error) => {
    reason = error;
  });
  worker.once('exit', () => {
    if (thread !== worker) return;
    thread = undefined;
    users.clear();
    const error = new Unavailable('the writing thread ended before it answered', { cause: reason });
    for (const answer of asked.values()) answer.reject(error);
    asked.clear();
  });
  return worker;
}
