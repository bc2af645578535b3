import { anyEventBefore, EVENTS_KEPT_MS } from '../accounts/account-events.ts';
import type { Connection } from '../database/engine.ts';
import type { Writer } from '../writer/writer.ts';
import type { Job } from './background.ts';

/** Forgets what happened to accounts once it is old. Where nothing is, nothing is written either. */
export function forgetEvents(db: Connection, writer: Writer, now: () => number): Job {
  return {
    name: 'forgetting old events',
    rest: 3_600_000,
    async run() {
      const before = BigInt(now()) - EVENTS_KEPT_MS;
      const [old] = await db.all(anyEventBefore, { before });
      if (old) await writer.apply('forgetOldEvents', { before });
    },
  };
}
