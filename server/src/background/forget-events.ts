import type { Writer } from '../writer/writer.ts';
import type { Job } from './background.ts';

/** Forgets what happened to accounts once it is old. */
export function forgetEvents(writer: Writer, now: () => number): Job {
  return {
    name: 'forgetting old events',
    rest: 3_600_000,
    run: () => writer.apply('forgetOldEvents', { at: BigInt(now()) }),
  };
}
