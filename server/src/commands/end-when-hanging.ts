import inspector from 'node:inspector';
import { Worker } from 'node:worker_threads';

const BEAT_MS = 1_000;
const MOST_MISSED = 10;

/** Ends this process once its event loop has not turned for ten seconds: it hears of no signal that would stop it. */
export function endWhenHanging(): void {
  if (inspector.url() !== undefined) return;
  const beats = new Int32Array(new SharedArrayBuffer(4));
  setInterval(() => Atomics.add(beats, 0, 1), BEAT_MS).unref();
  // A thread of this text alone takes half the memory of one that loads a module.
  const resourceLimits = { maxOldGenerationSizeMb: 8, maxYoungGenerationSizeMb: 1 };
  const text = `(${listen})(${BEAT_MS}, ${MOST_MISSED})`;
  new Worker(text, { eval: true, workerData: beats, resourceLimits }).unref();
}

/** Runs on the thread. It counts its own turns and no clock: a process that was suspended is not taken for one that hangs. */
function listen(everyMs: number, mostMissed: number): void {
  const beats: Int32Array = process.getBuiltinModule('node:worker_threads').workerData;
  const { write } = process.getBuiltinModule('node:fs');
  let last = -1;
  let missed = 0;
  setInterval(() => {
    const now = Atomics.load(beats, 0);
    missed = now === last ? missed + 1 : 0;
    last = now;
    if (missed !== mostMissed) return;
    const end = () => process.kill(process.pid, 'SIGKILL');
    write(2, 'petstore: the process hangs and is ended\n', end);
    setTimeout(end, everyMs);
  }, everyMs);
}
