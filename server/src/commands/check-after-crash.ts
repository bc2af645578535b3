import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { threadFile } from '../thread-files.ts';
import type { Job } from '../writer/background.ts';

const DAY_MS = 86_400_000;

/** Looks once through a database that was not closed, on a thread of its own, and reports what is wrong with it. */
export function checkAfterCrash(path: string, report: (problems: readonly string[]) => void): Job {
  let isDone = false;
  return {
    name: 'check after a crash',
    rest: DAY_MS,
    async run(signal) {
      if (isDone) return;
      const thread = new Worker(threadFile('check-thread'), { workerData: path });
      const end = () => void thread.terminate();
      signal.addEventListener('abort', end);
      thread.once('message', (problems: string[]) => {
        isDone = true;
        report(problems);
      });
      await once(thread, 'exit');
      signal.removeEventListener('abort', end);
    },
  };
}
