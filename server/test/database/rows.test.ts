import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { PostgresConnection } from '../../src/database/postgres.ts';
import { insertRow, insertRows } from '../../src/database/rows.ts';
import { SqliteConnection } from '../../src/database/sqlite.ts';
import { type Order, recordOrderChange } from '../../src/orders/order.ts';
import { demonstrationOrders } from '../../src/provisioning/demonstration-data.ts';
import { Transaction, type TransactionConnection } from '../../src/writer/verb.ts';
import { connect } from '../postgres/support/own-postgres.ts';
import { engines, type TestDatabase } from '../support/engines.ts';
import { startService } from '../support/service.ts';

const MAX_INT64 = 9_223_372_036_854_775_807n;

async function inTransaction(
  { location }: TestDatabase,
  work: (tx: Transaction) => Promise<void>,
): Promise<void> {
  await using open = new AsyncDisposableStack();
  let connection: TransactionConnection;
  if (location.database === undefined) {
    const sqlite = open.use(new SqliteConnection(join(location.data, 'production.db'), 'write'));
    connection = sqlite;
  } else {
    const client = await connect(location.database);
    open.defer(() => client.end());
    connection = new PostgresConnection(client);
  }
  await connection.begin();
  await work(new Transaction(connection));
  await connection.commit();
}

describe.each(engines)('a column that is added to a table, on $name', (engine) => {
  it('stores null, text and every int64 unchanged in bulk inserts', async () => {
    await using service = await startService(engine, { intervalMs: 1e9 });
    const { storeId } = await service.openStore();
    const { database } = service;
    const int = engine.name === 'sqlite' ? 'INTEGER' : 'BIGINT';
    await database.exec(`ALTER TABLE pets ADD COLUMN nickname TEXT; ALTER TABLE pets ADD COLUMN born ${int}`);
    const pet = { store_id: storeId, name: 'Rex', category: 'dog', stock: 1n, revision: 1n };
    const rows = [
      { ...pet, id: 101n, nickname: null, born: null },
      { ...pet, id: 102n, nickname: 'null', born: MAX_INT64 },
      { ...pet, id: 103n },
      { ...pet, id: MAX_INT64, nickname: '0', born: -MAX_INT64 },
    ];
    await inTransaction(database, (tx) => insertRows(tx, 'pets', rows as never));
    await inTransaction(database, (tx) =>
      insertRows(tx, 'pets', [{ ...pet, id: 104n, nickname: null }] as never),
    );
    expect(await database.rows('SELECT id, nickname, born FROM pets WHERE id > 100 ORDER BY id')).toEqual([
      { id: 101n, nickname: null, born: null },
      { id: 102n, nickname: 'null', born: MAX_INT64 },
      { id: 103n, nickname: null, born: null },
      { id: 104n, nickname: null, born: null },
      { id: MAX_INT64, nickname: '0', born: -MAX_INT64 },
    ]);
  });

  it('of orders is copied to the event log only if the log has it, too', async () => {
    await using service = await startService(engine, { intervalMs: 1e9 });
    const { storeId } = await service.openStore();
    const [order] = demonstrationOrders(0n) as [Order];
    const wider: Order = { ...order, note: 'fragile' } as Order;
    await inTransaction(service.database, (tx) =>
      recordOrderChange(tx, wider, { store_id: storeId, revision: 99n }),
    );
    expect(await service.database.rows('SELECT order_id, quantity FROM changes')).toEqual([
      { order_id: order.id, quantity: order.quantity },
    ]);
  });
});

it('a row with an unknown column is a type error, even if the column is spread', () => {
  const otherRow = { name: 'a', value: 'b', note: null };
  const never = async (tx: Transaction) => {
    // @ts-expect-error
    await insertRow(tx, 'secrets', { ...otherRow });
    // @ts-expect-error
    await insertRows(tx, 'secrets', [{ ...otherRow }]);
    // @ts-expect-error
    await insertRow(tx, 'secrets', { name: 'a' });
  };
  expect(never).toBeTypeOf('function');
});
