import type { Job, Step } from '../concurrency/background-jobs.ts';
import { query } from '../database/query.ts';
import { verb } from '../writer/verb.ts';
import type { Writer } from '../writer/writer.ts';

const MAX_PER_CHANGE = 500;

export type KeyUse = ReturnType<typeof openKeyUse>;

/** Remembers when keys were last used, and writes it down in groups: no request costs a write. */
export function openKeyUse(writer: Writer) {
  let noted = new Map<string, number>();
  let beingWritten: ReadonlyMap<string, number> = new Map();

  function note(keyId: string, at: number): void {
    noted.set(keyId, at);
  }

  /** Tells the last use from what was read. Called before the read: a use that is written meanwhile is then in one of the two. */
  function recent(): (keyId: string, written: bigint | null) => bigint | null {
    const [latest, earlier] = [noted, beingWritten];
    return (keyId, written) => {
      const at = latest.get(keyId) ?? earlier.get(keyId);
      if (at === undefined || (written !== null && written >= at)) return written;
      return BigInt(at);
    };
  }

  async function finish(step: Step): Promise<void> {
    beingWritten = noted;
    noted = new Map();
    const uses = Array.from(beingWritten, ([keyId, at]) => ({ keyId, at: BigInt(at) }));
    // Always in the same order, so that two replicas never wait for each other's rows.
    uses.sort((a, b) => (a.keyId < b.keyId ? -1 : 1));
    for (let first = 0; first < uses.length; first += MAX_PER_CHANGE) {
      const some = uses.slice(first, first + MAX_PER_CHANGE);
      await step(() => writer.apply(recordKeyUse, { uses: some }));
    }
    beingWritten = new Map();
  }

  const run: Job['run'] = (_, step) => finish(step);
  return { name: 'last use of keys', restMs: 30_000, note, recent, run, finish };
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
