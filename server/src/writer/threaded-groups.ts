import { Worker } from 'node:worker_threads';
import { Unavailable } from '../database/engine.ts';
import type { FileMark } from '../database/named-file.ts';
import { threadFile } from '../thread-files.ts';
import type { GroupOutcome, GroupRunner } from './group.ts';

/** Which file the thread writes to. */
export interface ThreadData {
  readonly path: string;
  readonly file: FileMark;
}

/** Sent to the thread: a group of commands, whose verbs it knows by name; or that it shall end. */
export type ToThread = ReadonlyArray<{ readonly verb: string; readonly args: object }> | 'close';

/** Sent by the thread: that it has started, and from now on only waits for the disk; then what became of each group. */
export type FromThread = 'started' | GroupOutcome;

/** Calls back once a group has been under way for too long, and returns how not to. */
export type Patience = (giveUp: () => void) => () => void;

/** Longer than the thread itself waits for a locked file. */
const LONGEST_SILENCE_MS = 7_000;

const usualPatience: Patience = (giveUp) => {
  const timer = setTimeout(giveUp, LONGEST_SILENCE_MS);
  return () => clearTimeout(timer);
};

const SILENT = 'the database cannot be written to: its disk does not answer';

/**
 * The thread is started by the first group, and by the next one after it died. One that a disk keeps from answering
 * cannot be ended: its group, which may still be made, is given up, and others are refused until it answers.
 */
export function groupsOnThread(data: ThreadData, patience: Patience = usualPatience): GroupRunner {
  let thread: Worker | undefined;
  let ended: Promise<void> | undefined;
  let isStarted = false;
  let underWay: PromiseWithResolvers<GroupOutcome> | undefined;
  let stopWaiting = () => {};

  const beginWaiting = (group: PromiseWithResolvers<GroupOutcome>) => {
    stopWaiting = patience(() => group.reject(new Unavailable(SILENT)));
  };
  const endWaiting = () => {
    underWay = undefined;
    stopWaiting();
  };

  function start(): Worker {
    const worker = new Worker(threadFile('sqlite-writer-thread'), { workerData: data });
    let reason: Error | undefined;
    worker.on('message', (message: FromThread) => {
      if (message === 'started') {
        isStarted = true;
        if (underWay) beginWaiting(underWay);
        return;
      }
      underWay?.resolve(message);
      endWaiting();
    });
    worker.on('error', (error) => {
      reason = error as Error;
    });
    ended = new Promise((resolve) => {
      worker.on('exit', () => {
        thread = undefined;
        isStarted = false;
        const why = reason?.message ?? 'the writing thread ended';
        underWay?.reject(new Unavailable(`the database cannot be written to: ${why}`, { cause: reason }));
        endWaiting();
        resolve();
      });
    });
    return worker;
  }

  return {
    async run(commands) {
      if (underWay) throw new Unavailable(SILENT);
      thread ??= start();
      underWay = Promise.withResolvers();
      if (isStarted) beginWaiting(underWay);
      const named = commands.map(({ verb, args }) => ({ verb: verb.name, args }));
      thread.postMessage(named satisfies ToThread);
      return underWay.promise;
    },
    async close() {
      thread?.postMessage('close' satisfies ToThread);
      await ended;
    },
  };
}
