import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { expect, it } from 'vitest';
import { BLOCKED_PREFIX, type BlockedInterval } from '../src/program/blocked-event-loop.ts';

const watchdog = new URL('../src/program/watchdog.ts', import.meta.url).href;

/** What the watchdog reports for a program that runs this in one tick. */
async function blockedIn(work: string): Promise<BlockedInterval[]> {
  const program = `setTimeout(() => { console.log(performance.timeOrigin + performance.now()); ${work} }, 50);
    setTimeout(() => {}, 400);`;
  const child = spawn(process.execPath, ['--import', watchdog, '--input-type=module', '-e', program], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, WATCHDOG_MS: '400' },
  });
  const [begun, reported] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')]);
  return (
    reported
      .split('\n')
      .filter((line) => line.startsWith(BLOCKED_PREFIX))
      .map((line) => JSON.parse(line.slice(BLOCKED_PREFIX.length)) as BlockedInterval)
      // Starting takes long ticks, too, which are over when this one begins.
      .filter(({ until }) => until > Number(begun))
  );
}

const work = (ms: number) =>
  `const spent = () => { const { user, system } = process.threadCpuUsage(); return (user + system) / 1000; };
   const start = spent(); while (spent() - start < ${ms}) {}`;

it('the watchdog reports an event-loop tick that works too long, and when it was', async () => {
  const before = Date.now();
  const [blocked, ...others] = await blockedIn(work(600));
  expect(others).toEqual([]);
  expect(blocked?.cpu).toBeGreaterThanOrEqual(600);
  expect(blocked?.from).toBeGreaterThanOrEqual(before - 1);
  expect(blocked?.until).toBeLessThanOrEqual(Date.now() + 1);
});

it('ignores a tick that only waits, as on a busy machine', async () => {
  expect(await blockedIn('Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1500);')).toEqual([]);
});
