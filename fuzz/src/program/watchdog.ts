import { writeSync } from 'node:fs';
import { isMainThread } from 'node:worker_threads';
import { BLOCKED_PREFIX, type BlockedInterval } from './blocked-event-loop.ts';

/** Preloaded in each of the program's processes: reports a blocked event loop on standard error. */
const STDERR = 2;
const TICK_MS = 5;
const threshold = Number(process.env.WATCHDOG_MS ?? 50);

if (isMainThread) watch();

function watch(): void {
  let { now, cpu } = sample();
  const timer = setInterval(() => {
    const end = sample();
    const blocked: BlockedInterval = { from: now, until: end.now, cpu: end.cpu - cpu };
    ({ now, cpu } = end);
    if (blocked.cpu > threshold) report(blocked);
  }, TICK_MS);
  timer.unref();

  function report(blocked: BlockedInterval): void {
    try {
      writeSync(STDERR, `${BLOCKED_PREFIX}${JSON.stringify(blocked)}\n`);
    } catch {
      // The reader of standard error has exited.
      clearInterval(timer);
    }
  }
}

function sample() {
  const { user, system } = process.threadCpuUsage();
  return { now: performance.timeOrigin + performance.now(), cpu: (user + system) / 1000 };
}
