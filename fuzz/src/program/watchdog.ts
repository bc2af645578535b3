import { closeSync, writeSync } from 'node:fs';
import { isMainThread } from 'node:worker_threads';

/** Loaded before the program, in its process: tells on descriptor 3 when the event loop was held. */
const DESCRIPTOR = 3;
const TICK_MS = 5;
const threshold = Number(process.env.WATCHDOG_MS ?? 50);

export interface Held {
  /** Both by the clock that all processes of the machine share, in milliseconds. */
  readonly from: number;
  readonly until: number;
  /** How much of that time this thread worked: a machine that is busy elsewhere holds no event loop. */
  readonly cpu: number;
}

if (isMainThread) watch();

function watch(): void {
  let { now, cpu } = moment();
  const timer = setInterval(() => {
    const turn = moment();
    const held: Held = { from: now, until: turn.now, cpu: turn.cpu - cpu };
    ({ now, cpu } = turn);
    if (held.cpu > threshold) tell(held);
  }, TICK_MS);
  timer.unref();

  function tell(held: Held): void {
    try {
      writeSync(DESCRIPTOR, `${JSON.stringify(held)}\n`);
    } catch {
      // Whoever listened has left.
      clearInterval(timer);
      closeSync(DESCRIPTOR);
    }
  }
}

function moment() {
  const { user, system } = process.threadCpuUsage();
  return { now: performance.timeOrigin + performance.now(), cpu: (user + system) / 1000 };
}
