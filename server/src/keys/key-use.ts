import type { Job, Step } from '../concurrency/background-jobs.ts';
import { query } from '../database/query.ts';
import { verb } from '../writer/verb.ts';
import type { Writer } from '../writer/writer.ts';

const BATCH_SIZE = 500;

export type KeyUse = ReturnType<typeof createKeyUse>;

/** Records when keys were last used: in memory per request, written in batches. */
export function createKeyUse(writer: Writer) {
  let unsaved = new Map<string, number>();
  let saving: ReadonlyMap<string, number> = new Map();

  function record(keyId: string, at: number): void {
    unsaved.set(keyId, at);
  }

  /** Returns a function that merges unsaved uses into rows. Call this before reading the rows: uses may be saved meanwhile. */
  function lastUseMerger(): (keyId: string, saved: bigint | null) => bigint | null {
    const [latest, earlier] = [unsaved, saving];
    return (keyId, saved) => {
      const at = latest.get(keyId) ?? earlier.get(keyId);
      if (at === undefined || (saved !== null && saved >= at)) return saved;
      return BigInt(at);
    };
  }

  async function flush(step: Step): Promise<void> {
    saving = unsaved;
    unsaved = new Map();
    const uses = Array.from(saving, ([keyId, at]) => ({ keyId, at: BigInt(at) }));
    // Sorted, so that replicas lock rows in the same order.
    uses.sort((a, b) => (a.keyId < b.keyId ? -1 : 1));
    for (let first = 0; first < uses.length; first += BATCH_SIZE) {
      const batch = uses.slice(first, first + BATCH_SIZE);
      await step(() => writer.apply(recordKeyUse, { uses: batch }));
    }
    saving = new Map();
  }

  const run: Job['run'] = (_, step) => flush(step);
  return { name: 'last use of keys', intervalMs: 30_000, record, lastUseMerger, run, finish: flush };
}

export const recordKeyUse = verb(
  'recordKeyUse',
  async (tx, { uses }: { uses: ReadonlyArray<{ keyId: string; at: bigint }> }): Promise<void> => {
    for (const { keyId, at } of uses) await tx.all(saveUse, { keyId, at });
  },
);

const saveUse = query((db, p: { keyId: string; at: bigint }) =>
  db
    .updateTable('keys')
    .set({ last_used_at: p.at })
    .where('id', '=', p.keyId)
    .where((eb) => eb.or([eb('last_used_at', 'is', null), eb('last_used_at', '<', p.at)])),
);
