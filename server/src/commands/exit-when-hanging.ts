import inspector from 'node:inspector';
import { Worker } from 'node:worker_threads';
import { createStallTimer } from './stall-timer.ts';

const TICKS = 10;

/** Kills this process once its event loop has been blocked for too long. A blocked process does not handle signals. */
export function exitWhenHanging(timeoutMs: number): void {
  // A debugger blocks the event loop.
  if (inspector.url() !== undefined) return;
  const heartbeats = new Int32Array(new SharedArrayBuffer(4));
  const tickMs = timeoutMs / TICKS;
  setInterval(() => Atomics.add(heartbeats, 0, 1), tickMs).unref();
  // An eval worker takes half the memory of one that loads a module.
  const resourceLimits = { maxOldGenerationSizeMb: 8, maxYoungGenerationSizeMb: 1 };
  const text = `(${watch})(${createStallTimer}, ${tickMs}, ${timeoutMs})`;
  new Worker(text, { eval: true, workerData: heartbeats, resourceLimits }).unref();
}

/** Runs on the thread, from its source text. */
function watch(createTimer: typeof createStallTimer, tickMs: number, timeoutMs: number): void {
  const heartbeats: Int32Array = process.getBuiltinModule('node:worker_threads').workerData;
  const { write } = process.getBuiltinModule('node:fs');
  const stalledMs = createTimer(process.pid, tickMs);
  let last = -1;
  const timer = setInterval(() => {
    const now = Atomics.load(heartbeats, 0);
    const hasProgress = now !== last;
    last = now;
    if (stalledMs(hasProgress) < timeoutMs) return;
    clearInterval(timer);
    const end = () => process.kill(process.pid, 'SIGKILL');
    write(
      2,
      `petstore: the event loop has been blocked for ${timeoutMs / 1_000} s; killing the process\n`,
      end,
    );
    setTimeout(end, 1_000);
  }, tickMs);
}
