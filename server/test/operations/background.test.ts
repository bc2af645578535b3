import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { type Job, startBackgroundJobs } from '../../src/concurrency/background-jobs.ts';
import { Unavailable } from '../../src/database/engine.ts';
import { anyEngine } from '../support/engines.ts';
import { startService } from '../support/service.ts';

const MINUTE_MS = 60_000;

/** A job that fails while `isFailing`, and when it ran. */
function failingJob() {
  const job = {
    name: 'failing',
    intervalMs: 60 * MINUTE_MS,
    isFailing: true,
    runs: [] as number[],
    async run() {
      job.runs.push(Date.now());
      if (job.isFailing) throw new Error('no');
    },
  };
  return job satisfies Job;
}

const open = (job: Job, isUnavailable = () => false) =>
  startBackgroundJobs([job], { onFailure: () => {}, isUnavailable });

/** Lets time pass while the job is woken every 10 ms. */
async function wakeFor(background: ReturnType<typeof open>, job: Job, ms: number): Promise<void> {
  for (let passed = 0; passed < ms; passed += 10) {
    void background.wake(job);
    await vi.advanceTimersByTimeAsync(10);
  }
}

describe('a job that fails', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  it('backs off, longer each time up to ten seconds, however often it is woken', async () => {
    const job = failingJob();
    const background = open(job);
    await wakeFor(background, job, MINUTE_MS);
    const pauses = job.runs.slice(1).map((at, i) => at - (job.runs[i] ?? 0));
    const longest = [500, 1_000, 2_000, 4_000, 8_000, ...Array(20).fill(10_000)];
    expect(pauses.length).toBeGreaterThanOrEqual(8);
    for (const [i, pause] of pauses.entries()) {
      expect(pause).toBeGreaterThanOrEqual(longest[i] / 2);
      expect(pause).toBeLessThanOrEqual(longest[i] + 10);
    }
    await background.stop();
  });

  it('does not back off after a success, and restarts with the shortest pause', async () => {
    const job = failingJob();
    const background = open(job);
    await wakeFor(background, job, MINUTE_MS);
    job.isFailing = false;
    await wakeFor(background, job, 11_000);
    job.runs.length = 0;
    await wakeFor(background, job, 100);
    expect(job.runs.length).toBeGreaterThanOrEqual(10);
    job.isFailing = true;
    await wakeFor(background, job, 100);
    job.runs.length = 0;
    await wakeFor(background, job, 520);
    expect(job.runs.length).toBe(1);
    await background.stop();
  });

  it('is reported once in ten seconds, in however many runs a step fails', async () => {
    const reported: unknown[] = [];
    const job: Job = {
      name: 'failing',
      intervalMs: 60 * MINUTE_MS,
      run: (_, step) => step(async () => Promise.reject(new Error('no'))),
    };
    const background = startBackgroundJobs([job], {
      onFailure: (_, __, isRepeated) => reported.push(isRepeated),
      isUnavailable: () => false,
    });
    await wakeFor(background, job, 25_000);
    expect(reported.length).toBeGreaterThan(100);
    expect(reported.filter((isRepeated) => !isRepeated)).toHaveLength(3);
    await background.stop();
  });

  it('stops at once while backing off', async () => {
    const job = failingJob();
    const background = open(job);
    await background.wake(job);
    void background.wake(job);
    await background.stop();
    expect(job.runs).toHaveLength(1);
  });
});

describe.each(anyEngine)('while the database cannot be changed, on $name', (engine) => {
  it('a job with many steps stops after a few failures, and logs once', async () => {
    await using database = await engine.create();
    const tried = new Set<unknown>();
    {
      await using service = await startService(engine, { database, now: () => 0 });
      for (let i = 0; i < 20; i++) {
        const { storeId } = await service.openStore();
        await database.exec(`UPDATE stores SET closed_at = 1 WHERE id = ${storeId}`);
      }
    }
    await using service = await startService(engine, {
      database,
      wrapWriter: (writer) => ({
        ...writer,
        async apply(_, args) {
          if ('storeId' in args) tried.add(args.storeId);
          throw new Unavailable('no change today');
        },
      }),
    });
    const lines = () => service.log.filter((line) => line.includes('"job":"erasing closed stores"'));
    await expect.poll(lines).toHaveLength(1);
    const metrics = (await service.request('GET /metrics')).text;
    expect(metrics).toMatch(/^petstore_background_failures_total\{.*work="erasing closed stores".*\} 3$/m);
    expect(tried.size).toBe(3);
  });
});
