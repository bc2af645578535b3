import { allKeys, type ListedKey } from '../../../server/src/commands/keys.ts';
import { type Column, endWhenReaderLeaves, Rows } from '../output.ts';
import type { Call } from '../place.ts';

const columns: readonly Column<ListedKey>[] = [
  ['KEY', ({ id }) => id],
  ['ENDS', ({ lastFour }) => `…${lastFour}`],
  ['STATE', ({ state }) => state],
  ['SCOPE', ({ scope }) => scope],
  ['CREATED', ({ createdAt }) => createdAt.slice(0, 16)],
  ['EXPIRES', ({ expiresAt }) => expiresAt?.slice(0, 16)],
  ['STORE', ({ storeId }) => storeId],
  ['OWNER', ({ owner }) => owner],
  ['NAME', ({ name }) => name],
];

export async function listKeys(call: Call): Promise<void> {
  endWhenReaderLeaves();
  const rows = new Rows(columns, call);
  await rows.write(await allKeys(call.values));
  await rows.end();
}
