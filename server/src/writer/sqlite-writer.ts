import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';
import { Unavailable } from '../database/engine.ts';
import type { FileMark } from '../database/named-file.ts';
import { threadFile } from '../thread-files.ts';
import { CommandQueue } from './command-queue.ts';
import { CommitListeners, type OnCommit, type Reached } from './commit-listeners.ts';
import { type Outcome, runGroup } from './group.ts';
import { SqliteGroupConnection } from './sqlite-group-connection.ts';
import type { Command } from './verbs.ts';
import type { Writer } from './writer.ts';

/** Where groups of changes are made, one at a time. */
interface Place {
  run(commands: readonly Command[]): Promise<Outcome[]>;
  close(): Promise<void>;
}

/** Calls back once a group has been under way for too long, and returns how not to. */
type Patience = (giveUp: () => void) => () => void;

/** Longer than the thread itself waits for a locked file. */
const LONGEST_SILENCE_MS = 7_000;

const usualPatience: Patience = (giveUp) => {
  const timer = setTimeout(giveUp, LONGEST_SILENCE_MS);
  return () => clearTimeout(timer);
};

/**
 * Writes right here, which is all that a command needs. A service writes on a thread of the file's own: waiting for the
 * disk, or for another program that has the file locked, then holds up no request and no other file.
 */
export function openSqliteWriter(
  path: string,
  file: FileMark,
  { onThread = false, patience = usualPatience } = {},
): Writer {
  const listeners = new CommitListeners();
  const data = { path, file };
  const place = onThread ? onThreadOf(data, listeners.tell, patience) : here(data, listeners.tell);
  let isClosed = false;
  const run = async (commands: readonly Command[]) => {
    if (isClosed) throw new Unavailable('the database was closed');
    return place.run(commands);
  };
  const queue = new CommandQueue(run, { beside: onThread && availableParallelism() > 1 });
  return {
    apply: (verb, args) => queue.submit({ verb, args }) as never,
    onCommit: (listener) => listeners.add(listener),
    async close() {
      await queue.idle();
      isClosed = true;
      await place.close();
    },
  };
}

function here({ path, file }: WriterData, onCommit: OnCommit): Place {
  let connection: SqliteGroupConnection | undefined;
  return {
    async run(commands) {
      connection ??= new SqliteGroupConnection(path, file);
      return runGroup(connection, commands, onCommit);
    },
    async close() {
      connection?.close();
      connection = undefined;
    },
  };
}

const SILENT = 'the database cannot be written to: its disk does not answer';

/** What a place has to know, on whatever thread. */
export interface WriterData {
  readonly path: string;
  readonly file: FileMark;
}

/** What the thread is sent: a group of changes, or that it shall end. */
export type Message = readonly Command[] | 'close';

/**
 * What the thread says: that it has been started, and from now on only waits for the disk; then, for each group, what
 * became of each change, and how far the stores have come.
 */
export type Answer = 'started' | { readonly outcomes: Outcome[]; readonly reached: readonly Reached[] };

/**
 * The thread is started by the first change, and by the next one after it died. One that a disk keeps from answering
 * cannot be ended: its group, which may still be made, is given up, and others are refused until it answers.
 */
function onThreadOf(data: WriterData, onCommit: OnCommit, patience: Patience): Place {
  let thread: Worker | undefined;
  let ended: Promise<void> | undefined;
  let isStarted = false;
  let answer: PromiseWithResolvers<Outcome[]> | undefined;
  let stopWaiting = () => {};

  const wait = (owed: PromiseWithResolvers<Outcome[]>) => {
    stopWaiting = patience(() => owed.reject(new Unavailable(SILENT)));
  };
  const settle = () => {
    answer = undefined;
    stopWaiting();
  };

  function start(): Worker {
    const worker = new Worker(threadFile('sqlite-writer-thread'), {
      workerData: data,
      // Little of what a change makes lives longer than the change: a small space for new objects is enough.
      resourceLimits: { maxYoungGenerationSizeMb: 4 },
    });
    let reason: Error | undefined;
    worker.on('message', (said: Answer) => {
      if (said === 'started') {
        isStarted = true;
        if (answer) wait(answer);
        return;
      }
      answer?.resolve(said.outcomes);
      settle();
      for (const one of said.reached) onCommit(one);
    });
    worker.on('error', (error) => {
      reason = error as Error;
    });
    ended = new Promise((resolve) => {
      worker.on('exit', () => {
        thread = undefined;
        isStarted = false;
        const why = reason?.message ?? 'the writing thread ended';
        answer?.reject(new Unavailable(`the database cannot be written to: ${why}`, { cause: reason }));
        settle();
        resolve();
      });
    });
    return worker;
  }

  return {
    async run(commands) {
      if (answer) throw new Unavailable(SILENT);
      thread ??= start();
      answer = Promise.withResolvers();
      if (isStarted) wait(answer);
      thread.postMessage(commands satisfies Message);
      return answer.promise;
    },
    async close() {
      thread?.postMessage('close' satisfies Message);
      await ended;
    },
  };
}
