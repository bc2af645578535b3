import { getCompileCacheDir } from 'node:module';
import { Worker, type WorkerOptions } from 'node:worker_threads';

/** `code` is a file, or the text of a script. Threads inherit a compile cache only through their environment. */
export function startThread(code: URL | string, options: WorkerOptions): Worker {
  const folder = getCompileCacheDir();
  const env = folder === undefined ? process.env : { ...process.env, NODE_COMPILE_CACHE: folder };
  return new Worker(code, { ...options, env, eval: typeof code === 'string' });
}
