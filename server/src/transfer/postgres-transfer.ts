import { openLongPostgres } from '../database/prepare-postgres.ts';
import type { Value } from '../database/query.ts';
import { type TransferConnection, transferTables } from './tables.ts';

const BATCH = 2_000;
const LOCK_TIMEOUT_MS = 10_000;

export async function openPostgresTransfer(url: string, mode: 'read' | 'write'): Promise<TransferConnection> {
  await using opening = new AsyncDisposableStack();
  const session = opening.use(await openLongPostgres(url, LOCK_TIMEOUT_MS));
  const tables = transferTables();
  if (mode === 'read') {
    await session.exec('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY');
  } else {
    await session.exec('BEGIN ISOLATION LEVEL READ COMMITTED READ WRITE');
    await session.exec(`LOCK TABLE ${tables.map(({ name }) => name)} IN EXCLUSIVE MODE`);
  }
  const open = opening.move();
  return {
    engine: 'postgres',
    tables,
    async *select(sql) {
      await session.exec(`DECLARE transfer NO SCROLL CURSOR FOR ${sql}`);
      const fetch = { text: `FETCH ${BATCH} FROM transfer`, rowMode: 'array' } as const;
      const next = async () => (await session.run(fetch)).rows as Value[][];
      for (let rows = await next(); rows.length > 0; rows = await next()) yield rows;
      await session.exec('CLOSE transfer');
    },
    async write(text, ...values) {
      await session.run({ text, values });
    },
    async commit() {
      await session.exec('COMMIT');
      await session.exec('ANALYZE');
    },
    [Symbol.asyncDispose]: () => open.disposeAsync(),
  };
}
