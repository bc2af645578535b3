import { describe, expect, it } from 'vitest';
import { migrations } from '../../src/database/migrations.ts';
import { openDeployment } from '../../src/open-deployment.ts';
import { engines } from '../support/engines.ts';

describe.each(engines)('a database of an older schema on $name', (engine) => {
  it('is brought to the newest with its orders, of which every zone knows the dates', async () => {
    await using database = await engine.create();
    const name = database.engine;
    const before = migrations.slice(0, 3).flatMap((migration) => migration(name));
    const version =
      name === 'sqlite'
        ? 'PRAGMA application_id = 0x50455453; PRAGMA user_version = 3'
        : 'CREATE TABLE petstore_schema (version BIGINT NOT NULL); INSERT INTO petstore_schema VALUES (3)';
    await database.exec(`${before.join(';')};
      CREATE TABLE order_history (id BIGINT);
      CREATE INDEX orders_changed ON orders (store_id, revision);
      INSERT INTO stores (id, revision, next_order_id, next_pet_id, created_at) VALUES (1, 1, 3000, 1, 0);
      INSERT INTO orders VALUES (1, 7, 1, 1, 500, 'pending', 0, 0, 1), (1, 9, 1, 1, 400, 'pending', 0, 0, 1),
        (1, 2048, 1, 1, 600, 'pending', 0, 0, 1);
      ${version}`);
    await (await openDeployment('production', database.location))[Symbol.asyncDispose]();
    expect(await database.rows('SELECT * FROM order_zones ORDER BY zone')).toEqual([
      { store_id: 1n, zone: 0n, earliest: 400n, latest: 500n },
      { store_id: 1n, zone: 2n, earliest: 600n, latest: 600n },
    ]);
    expect(await database.rows('SELECT count(*) AS n FROM orders')).toEqual([{ n: 3n }]);
    await expect(database.rows('SELECT * FROM order_history')).rejects.toThrow();
  });
});
