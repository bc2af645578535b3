import type { Job } from '../../src/concurrency/background-jobs.ts';

/** Runs a job once; any failure in it fails the test. */
export function runJob(job: Job): Promise<void> {
  return job.run(new AbortController().signal, async (work) => void (await work()));
}
