import { randomBytes } from 'node:crypto';
import { DatabaseSync } from 'node:sqlite';
import { newKey } from '../../../server/src/keys/create-key.ts';
import { openDeployment } from '../../../server/src/open-deployment.ts';
import { randomStoreId } from '../../../server/src/stores/open-store.ts';
import { databaseFile } from '../subjects/petstore.ts';

/** Stores that are written by one statement. */
const TOGETHER = 1_000;

/** What is in a store as it is opened, its key included, and by which column; the sum of a row is the same in every store. */
const tables = {
  stores: 'id',
  pets: 'store_id',
  orders: 'store_id',
  order_zones: 'store_id',
  keys: 'store_id',
};

/** What each store has of its own besides its id. */
const own: Record<string, string> = {
  'keys.hash': 'lower(hex(new.bytes))',
  'keys.id': "'key_' || hex(new.bytes)",
};

/**
 * Opens so many further stores: the first as the service does, the others as copies of its rows with ids and hashes of
 * their own. Written in the order of their ids, they take a minute rather than half an hour.
 */
export async function openStores(place: { engine: 'sqlite'; data: string }, count: number): Promise<void> {
  if (count === 0) return;
  const first = await openOne(place.data);
  using db = new DatabaseSync(databaseFile(place));
  // Nobody needs what is half done: the data is made for one measurement.
  db.exec('PRAGMA synchronous = OFF; PRAGMA cache_size = -262144');
  // Ids of stores, which running a statement answers with, are greater than a number can be.
  const prepare = (sql: string) => {
    const statement = db.prepare(sql);
    statement.setReadBigInts(true);
    return statement;
  };
  db.exec('CREATE TEMP TABLE new (id INTEGER PRIMARY KEY, bytes BLOB NOT NULL)');
  const columnsOf = (table: string) =>
    db
      .prepare('SELECT name FROM pragma_table_info(?)')
      .all(table)
      .map(({ name }) => String(name));
  const copies = Object.entries(tables).map(([table, storeId]) => {
    const columns = columnsOf(table);
    const taken = columns.map((column) =>
      column === storeId ? 'new.id' : (own[`${table}.${column}`] ?? `old.${column}`),
    );
    return prepare(
      `INSERT INTO ${table} (${columns.join()}) SELECT ${taken.join()} FROM new CROSS JOIN ${table} AS old
        WHERE old.${storeId} = ${first} ORDER BY 1, 2`,
    );
  });
  const note = prepare('INSERT INTO new VALUES (?, ?)');
  const ids = Array.from({ length: count - 1 }, randomStoreId).sort((a, b) => (a < b ? -1 : 1));
  for (let at = 0; at < ids.length; at += TOGETHER) {
    db.exec('BEGIN; DELETE FROM new');
    for (const id of ids.slice(at, at + TOGETHER)) note.run(id, randomBytes(32));
    for (const each of copies) each.run();
    db.exec('COMMIT');
  }
}

async function openOne(data: string): Promise<bigint> {
  const location = { deployments: ['production'], data, database: undefined, acceptUnsafe: false } as const;
  await using deployment = await openDeployment('production', location);
  const key = newKey('production', 'bench').details;
  const opened = await deployment.writer.apply('openStore', { owner: null, key, at: BigInt(Date.now()) });
  return opened.storeId;
}
