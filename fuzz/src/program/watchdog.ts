import { writeSync } from 'node:fs';
import { isMainThread } from 'node:worker_threads';
import { BLOCKED_PREFIX, type BlockedInterval } from './blocked-event-loop.ts';

/** Loaded before the program, in each of its processes: tells on standard error when the event loop was held. */
const STDERR = 2;
const TICK_MS = 5;
const threshold = Number(process.env.WATCHDOG_MS ?? 50);

if (isMainThread) watch();

function watch(): void {
  let { now, cpu } = moment();
  const timer = setInterval(() => {
    const turn = moment();
    const held: BlockedInterval = { from: now, until: turn.now, cpu: turn.cpu - cpu };
    ({ now, cpu } = turn);
    if (held.cpu > threshold) tell(held);
  }, TICK_MS);
  timer.unref();

  function tell(held: BlockedInterval): void {
    try {
      writeSync(STDERR, `${BLOCKED_PREFIX}${JSON.stringify(held)}\n`);
    } catch {
      // Whoever listened has left.
      clearInterval(timer);
    }
  }
}

function moment() {
  const { user, system } = process.threadCpuUsage();
  return { now: performance.timeOrigin + performance.now(), cpu: (user + system) / 1000 };
}
