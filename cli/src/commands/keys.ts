import { allKeys, type ListedKey } from '../../../server/src/commands/keys.ts';
import { type Column, exitWhenReaderCloses, Rows, utc } from '../output.ts';

const columns: readonly Column<ListedKey>[] = [
  ['KEY', ({ id }) => id],
  ['ENDS IN', ({ lastFour }) => `…${lastFour}`],
  ['STATE', ({ state }) => state],
  ['SCOPE', ({ scope }) => scope],
  ['CREATED', ({ createdAt }) => utc(createdAt)],
  ['EXPIRES', ({ expiresAt }) => utc(expiresAt)],
  ['STORE', ({ storeId }) => storeId],
  ['OWNER', ({ owner }) => owner],
  ['NAME', ({ name }) => name],
];

export const listKeys = exitWhenReaderCloses(async (call) => {
  const rows = new Rows(columns, call, 'keys');
  await rows.write(await allKeys(call.values));
  await rows.end();
});
