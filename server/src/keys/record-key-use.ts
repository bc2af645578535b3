import { query } from '../database/query.ts';
import { verb } from '../writer/verb.ts';

/** Writes down when keys were last used, unless a later use is already known. */
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
