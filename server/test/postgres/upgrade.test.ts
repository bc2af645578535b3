import { describe, expect, it } from 'vitest';
import { type Migration, migrations, schemaVersion } from '../../src/database/migrations.ts';
import { preparePostgres } from '../../src/database/prepare-postgres.ts';
import { postgres, type TestDatabase } from '../support/engines.ts';
import { runProgram } from '../support/program.ts';
import { eventually } from './support/eventually.ts';
import { connect } from './support/own-postgres.ts';

const upTo = (last: number) => migrations.filter(({ version }) => version <= last);
const urlOf = ({ location }: TestDatabase) => String(location.database);

/** A database of version 6 with a store, a pet and an order. */
async function oldDatabase(): Promise<TestDatabase> {
  const database = await postgres.create();
  await preparePostgres(urlOf(database), false, upTo(6));
  await database.exec(`
    INSERT INTO stores (id, revision, next_order_id, next_pet_id, created_at) VALUES (7, 1, 2, 2, 0);
    INSERT INTO pets (store_id, id, name, category, stock, revision) VALUES (7, 1, 'Rex', 'dog', 500, 1);
    ${insertOrder(1)}`);
  return database;
}

const insertOrder = (id: number) => `
  INSERT INTO orders (store_id, id, pet_id, quantity, ship_date, status, placed_at, updated_at, revision)
  VALUES (7, ${id}, 1, 1, 0, 'pending', 0, 0, ${id})`;

/** How a replica of version 6 places an order, up to its commit. */
const lockStore = 'BEGIN; SELECT id FROM stores WHERE id = 7 FOR NO KEY UPDATE';
const takeStock = 'UPDATE pets SET stock = stock - 1 WHERE store_id = 7 AND id = 1';
const saveStore = (id: number) =>
  `UPDATE stores SET revision = ${id}, next_order_id = ${id + 1} WHERE id = 7; COMMIT`;

const waitingForLock = `SELECT 1 AS n FROM pg_locks JOIN pg_database ON pg_database.oid = database
  WHERE datname = current_database() AND NOT granted`;

async function counted(database: TestDatabase) {
  const [row] = await database.rows(
    `SELECT (SELECT count(*) FROM orders) AS orders,
       (SELECT CAST(sum(count) AS bigint) FROM order_counts WHERE week < -100000000000000) AS counted`,
  );
  return row;
}

describe('an upgrade of PostgreSQL next to a replica of the previous version', () => {
  it('counts the order of a concurrent change, without a deadlock', async () => {
    await using database = await oldDatabase();
    const replica = await connect(urlOf(database));
    await replica.query(lockStore);
    await replica.query(takeStock);
    const upgrade = preparePostgres(urlOf(database), false, upTo(7));
    await eventually(
      () => database.rows(waitingForLock),
      (waiting) => waiting.length > 0,
    );
    await replica.query(insertOrder(2));
    await replica.query(saveStore(2));
    await replica.end();
    expect(await upgrade).toMatchObject({ migratedFrom: 6 });
    expect(await counted(database)).toEqual({ orders: 2n, counted: 2n });
  });

  it('is retried after a deadlock', async () => {
    await using database = await oldDatabase();
    // Sequences are not rolled back: the first run has a deadlock, the second one does not.
    await database.exec('CREATE SEQUENCE runs');
    const meetsDeadlock = `DO $$ BEGIN
      IF nextval('runs') = 1 THEN RAISE EXCEPTION 'deadlock detected' USING ERRCODE = '40P01'; END IF;
    END $$`;
    const next: Migration = {
      version: schemaVersion + 1,
      statements: (engine) => (engine === 'postgres' ? [meetsDeadlock] : []),
    };
    await preparePostgres(urlOf(database), false, [...migrations, next]);
    expect(await database.rows('SELECT version FROM petstore_schema')).toEqual([
      { version: BigInt(schemaVersion + 1) },
    ]);
  });

  it('repairs the counts of an earlier, faulty upgrade', async () => {
    await using database = await oldDatabase();
    await preparePostgres(urlOf(database), false, upTo(13));
    await database.exec(`UPDATE order_counts SET count = 5 WHERE week > -100000000000000;
      DELETE FROM order_counts WHERE week < -100000000000000;
      INSERT INTO order_counts VALUES (7, 0, 'shipped', 1)`);
    await preparePostgres(urlOf(database), false);
    const { stdout } = await runProgram(['check', ...database.flags]);
    expect(stdout).toContain('\norder counts: ok\n');
  });
});
