import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import type { FileMark } from '../database/database-files.ts';
import { Unavailable } from '../database/engine.ts';
import { threadFile } from '../thread-files.ts';
import type { GroupOutcome, GroupRunner } from './group.ts';
import type { Command } from './verb.ts';

export interface ThreadData {
  readonly path: string;
  readonly file: FileMark;
}

/** A group of commands, whose verbs the thread knows by name; or that it shall end. */
export type ToThread = ReadonlyArray<Omit<Command, 'verb'> & { readonly verb: string }> | 'close';

export type FromThread = 'started' | GroupOutcome;

/** Calls `giveUp` once a group has been under way for too long; the returned function stops that. */
export type Patience = (giveUp: () => void) => () => void;

/** Longer than the thread itself waits for a locked file. */
const LONGEST_SILENCE_MS = 7_000;

const usualPatience: Patience = (giveUp) => {
  const timer = setTimeout(giveUp, LONGEST_SILENCE_MS);
  return () => clearTimeout(timer);
};

const SILENT = 'the database cannot be written to: its disk does not answer';

interface Thread {
  readonly worker: Worker;
  readonly started: Promise<unknown>;
  readonly ended: Promise<never>;
}

/**
 * There is no thread (the next group starts one), or it waits for a group, or a group is under way, or it is silent: its
 * group, which may still be made, was given up, and others are refused until it answers.
 */
export function groupsOnThread(data: ThreadData, patience: Patience = usualPatience): GroupRunner {
  let thread: Thread | undefined;
  let isBusy = false;

  function start(): Thread {
    const worker = new Worker(threadFile('sqlite-writer-thread'), { workerData: data });
    const ended = once(worker, 'exit')
      .then(() => {
        throw new Error('the writing thread ended');
      })
      .finally(() => {
        thread = undefined;
      });
    ended.catch(() => {});
    return { worker, started: Promise.race([once(worker, 'message'), ended]), ended };
  }

  return {
    async run(commands) {
      if (isBusy) throw new Unavailable(SILENT);
      isBusy = true;
      const givenUp = Promise.withResolvers<never>();
      let stopWaiting = () => {};
      const runOnThread = async (): Promise<GroupOutcome> => {
        try {
          thread ??= start();
          const { worker, started, ended } = thread;
          await started;
          stopWaiting = patience(() => givenUp.reject(new Unavailable(SILENT)));
          const named = commands.map(({ verb, ...rest }) => ({ verb: verb.name, ...rest }));
          worker.postMessage(named satisfies ToThread);
          const [answer] = await Promise.race([once(worker, 'message'), ended]);
          return answer satisfies FromThread;
        } catch (error) {
          const why = (error as Error).message;
          throw new Unavailable(`the database cannot be written to: ${why}`, { cause: error });
        } finally {
          stopWaiting();
          isBusy = false;
        }
      };
      return Promise.race([runOnThread(), givenUp.promise]);
    },
    async close() {
      thread?.worker.postMessage('close' satisfies ToThread);
      await thread?.ended.catch(() => {});
    },
  };
}
