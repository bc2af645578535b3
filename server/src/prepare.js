import { once } from 'node:events';
import { Worker } from 'node:worker_threads';

// What `serve` loads, so that it is compiled.
await import('./commands/serve.ts');
await import('pino-pretty');
// The framework loads some of its parts only when it is used.
const { fastify } = await import('fastify');
await fastify().ready();
// A thread that writes is started later, and compiled under the flags of that time.
const { endLoading } = await import('./young-space.ts');
endLoading();
const url = new URL('./writer/sqlite-writer-thread.ts', import.meta.url);
const thread = new Worker(url, { workerData: ':memory:' });
thread.postMessage('close');
await once(thread, 'exit');
