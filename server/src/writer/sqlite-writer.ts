import { Worker } from 'node:worker_threads';
import { Unavailable } from '../database/engine.ts';
import { type Outcome, runGroup } from './group.ts';
import { SqliteGroupConnection } from './sqlite-group-connection.ts';
import type { Command } from './verbs.ts';
import { Lane, type Writer } from './writer.ts';

/** What the thread is asked: to make a group of changes in a writer's file, or to let go of the file. */
export type Task = { readonly number: number; readonly writer: number } & (
  | { readonly kind: 'change'; readonly path: string; readonly commands: readonly Command[] }
  | { readonly kind: 'close' }
);

export interface Reply {
  readonly number: number;
  readonly outcomes?: Outcome[];
  readonly failed?: string;
}

/**
 * Writes right here, which is all that a command or a start needs; a service writes on another thread, so that waiting
 * for the disk never holds up a request.
 */
export function openSqliteWriter(path: string): Writer {
  const writer = ++numbers;
  let here: SqliteGroupConnection | undefined;
  let isThreaded = false;
  let isClosed = false;
  const lane = new Lane(async (commands) => {
    if (isClosed) throw new Unavailable('the database was closed');
    if (!isThreaded) {
      here ??= new SqliteGroupConnection(path);
      return runGroup(here, commands);
    }
    users.add(writer);
    return ask({ kind: 'change', writer, path, commands });
  });
  const leaveHere = () => {
    here?.close();
    here = undefined;
  };
  return {
    apply: (verb, args) => lane.submit({ verb, args }) as never,
    useThread() {
      isThreaded = true;
      lane.idle().then(leaveHere);
    },
    async close() {
      await lane.idle();
      isClosed = true;
      leaveHere();
      await release(writer);
    },
  };
}

let numbers = 0;
/** One thread for all files: a second would cost more memory than all that it has to remember. */
let thread: Worker | undefined;
/** What the thread was asked and has not answered yet. */
const asked = new Map<number, PromiseWithResolvers<Outcome[]>>();
/** Writers that have used the thread and not let go of it. */
const users = new Set<number>();

type Question = Task extends infer T ? (T extends Task ? Omit<T, 'number'> : never) : never;

function ask(question: Question): Promise<Outcome[]> {
  const answer = Promise.withResolvers<Outcome[]>();
  const number = ++numbers;
  asked.set(number, answer);
  thread ??= start();
  thread.postMessage({ ...question, number });
  return answer.promise;
}

async function release(writer: number): Promise<void> {
  if (!users.has(writer)) return;
  await ask({ kind: 'close', writer }).catch(() => {});
  users.delete(writer);
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
  worker.on('message', ({ number, outcomes, failed }: Reply) => {
    const answer = asked.get(number);
    asked.delete(number);
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
