import inspector from 'node:inspector';
import { Worker } from 'node:worker_threads';
import { threadFile } from '../thread-files.ts';

export interface Beats {
  readonly count: Int32Array<SharedArrayBuffer>;
  readonly everyMs: number;
  /** After so many that did not come, the process is ended. */
  readonly mostMissed: number;
}

/**
 * Ends this process once its event loop has not turned for ten seconds: it answers nobody, and hears of no signal that
 * would stop it. That loses nothing that was acknowledged.
 */
export function endWhenHanging(): void {
  const count = new Int32Array(new SharedArrayBuffer(4));
  const beats: Beats = { count, everyMs: 1_000, mostMissed: 10 };
  // Whoever debugs it may hold it for as long as they like.
  if (inspector.url() !== undefined) return;
  new Worker(threadFile('hang-thread'), { workerData: beats }).unref();
  setInterval(() => Atomics.add(count, 0, 1), beats.everyMs).unref();
}
