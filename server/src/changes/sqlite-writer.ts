import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { Unavailable } from '../database/engine.ts';
import type { Outcome } from './group.ts';
import type { Command } from './verbs.ts';
import { Lane, type Writer } from './writer.ts';

/** Writes on a thread of its own, so that waiting for the disk never holds up a request. */
export function openSqliteWriter(path: string): Writer {
  let thread: Worker | undefined;

  function start(): Worker {
    const worker = new Worker(new URL('./sqlite-writer-thread.ts', import.meta.url), {
      workerData: { path },
    });
    worker.once('exit', () => {
      thread = undefined;
    });
    return worker;
  }

  const lane = new Lane((commands) => {
    thread ??= start();
    return exchange(thread, commands);
  });

  return {
    apply: (verb, args) => lane.submit({ verb, args }) as never,
    async close() {
      await lane.idle();
      if (!thread) return;
      const gone = once(thread, 'exit');
      thread.postMessage('close');
      await gone;
    },
  };
}

function exchange(thread: Worker, commands: Command[]): Promise<Outcome[]> {
  const { promise, resolve, reject } = Promise.withResolvers<Outcome[]>();
  const failed = (reason: unknown) =>
    reject(new Unavailable('the writing thread ended before it answered', { cause: reason }));
  thread.once('message', resolve).once('error', failed).once('exit', failed);
  thread.postMessage(commands);
  return promise.finally(() => thread.off('message', resolve).off('error', failed).off('exit', failed));
}
