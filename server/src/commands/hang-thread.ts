import { write } from 'node:fs';
import { workerData } from 'node:worker_threads';
import type { Beats } from './end-when-hanging.ts';

const { count, everyMs, mostMissed } = workerData as Beats;
let last = -1;
let missed = 0;

/** Counts its own turns and no clock: a process that was suspended is not taken for one that hangs. */
setInterval(() => {
  const now = Atomics.load(count, 0);
  missed = now === last ? missed + 1 : 0;
  last = now;
  if (missed !== mostMissed) return;
  const end = () => process.kill(process.pid, 'SIGKILL');
  write(2, 'petstore: the process hangs and is ended\n', end);
  setTimeout(end, everyMs);
}, everyMs);
