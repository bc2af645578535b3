import { describe, expect, it } from 'vitest';
import { exportDeployment } from '../../../src/transfer/export-deployment.ts';
import { openTransfer } from '../../../src/transfer/open-transfer.ts';
import { runCommand } from '../../support/command.ts';
import { engines, type Row } from '../../support/engines.ts';
import { startService, type TestStore } from '../../support/service.ts';
import { placeOrder, sendRequest } from '../support/requests.ts';
import {
  exported,
  exportedByProgram,
  fill,
  newDatabase,
  openOnce,
  routes,
  rowCount,
} from '../support/transferred.ts';

describe.each(routes)('moving a deployment from $from to $to', ({ from, to }) => {
  it('copies every row exactly, and exports the same again', async () => {
    await using source = await newDatabase(from);
    await using target = await newDatabase(to);
    await fill(source);
    const file = await exportedByProgram(source);
    const { code, stdout, stderr } = await runCommand(['import', ...target.flags], { input: file });
    expect([code, stdout]).toEqual([0, '']);
    expect(stderr).toMatch(/Imported and verified [\d,]+ rows/);
    expect(await exported(target)).toBe(file);
    await using described = await openTransfer('production', source.location, 'read');
    for (const { name, columns } of described.tables) {
      // Each engine sorts text in its own way.
      const sorted = (rows: Row[]) =>
        rows.map((row) => JSON.stringify(Object.values(row).map(String))).sort();
      const sql = `SELECT ${columns.map((column) => `"${column.name}"`)} FROM ${name}`;
      const rows = sorted(await target.rows(sql));
      expect([name, rows]).toEqual([name, sorted(await source.rows(sql))]);
      expect([name, rows.length > 0]).toEqual([name, true]);
    }
  });

  it('continues as if nothing had happened', async () => {
    await using source = await newDatabase(from);
    await using target = await newDatabase(to);
    const [store, , revoked] = (await fill(source)) as [TestStore, TestStore, TestStore];
    const engineOf = (name: string) =>
      engines.find((engine) => engine.name === name) as (typeof engines)[number];
    const paths = ['/v1/store/orders', '/v1/pets', '/v2/store/orders?limit=7', '/v2/store/orders/2/history'];
    const look = async (at: { port: number }) =>
      Promise.all(
        paths.map(async (path) => {
          const { status, text, headers } = await sendRequest(at, `GET ${path}`, store.key);
          return [path, status, text, headers.get('etag'), headers.get('link')];
        }),
      );

    await using before = await startService(engineOf(from), { database: source });
    const seen = await look(before);
    await runCommand(['import', ...target.flags], { input: await exported(source) });
    await using after = await startService(engineOf(to), { database: target });
    expect(await look(after)).toEqual(seen);
    expect((await sendRequest(after, 'GET /v1/pets', revoked.key)).status).toBe(401);
    const replay = await placeOrder(after, store.key, { 'idempotency-key': 'kept "as" it is\\' });
    expect([replay.status, replay.headers.get('idempotent-replayed')]).toEqual([201, 'true']);
    expect((await sendRequest(after, 'DELETE /v1/store/orders/6', store.key)).status).toBe(204);
  });

  it('copies the state at the start of the export, despite later changes', async () => {
    await using database = await newDatabase(from);
    const engine = engines.find(({ name }) => name === from) as (typeof engines)[number];
    await using service = await startService(engine, { database });
    const { key } = await service.openStore();
    const before = await exported(database);
    await using source = await openTransfer('production', database.location, 'read');
    let text = '';
    for await (const lines of exportDeployment('production', source, () => ({ add() {}, end() {} }))) {
      text += lines;
      if (!lines.startsWith('{"table":"keys"')) continue;
      // The stores are written, the orders are not.
      expect((await placeOrder(service, key)).status).toBe(201);
      expect((await sendRequest(service, 'DELETE /v1/store/orders/2', key)).status).toBe(204);
      await service.openStore();
    }
    expect(text).toBe(before);
  });

  it('changes nothing the second time', async () => {
    await using source = await newDatabase(from);
    await using target = await newDatabase(to);
    await fill(source);
    const file = await exported(source);
    await runCommand(['import', ...target.flags], { input: file });
    const again = await runCommand(['import', ...target.flags], { input: file });
    expect([again.code, again.stderr]).toEqual([
      0,
      expect.stringContaining('already contains exactly these'),
    ]);
  });

  it('rejects a target with other data', async () => {
    await using source = await newDatabase(from);
    await using target = await newDatabase(to);
    await fill(source);
    await runCommand(['keys', 'create', ...target.flags]);
    const before = await exported(target);
    const rejected = await runCommand(['import', ...target.flags], { input: await exported(source) });
    expect([rejected.code, rejected.stderr]).toEqual([
      1,
      expect.stringContaining('the target has different data'),
    ]);
    expect(await exported(target)).toBe(before);
  });

  it('accepts a target that a start has initialized, but no client has used', async () => {
    await using source = await newDatabase(from);
    await using target = await newDatabase(to);
    await fill(source);
    await openOnce(target);
    expect(await target.rows('SELECT count(*) AS count FROM secrets')).toEqual([{ count: 1n }]);
    const file = await exported(source);
    expect((await runCommand(['import', ...target.flags], { input: file })).code).toBe(0);
    expect(await exported(target)).toBe(file);
    expect(await rowCount(target)).toBe(await rowCount(source));
  });
});

describe.each(engines)('an export on $name', (engine) => {
  it('includes every column of every table', async () => {
    await using database = await engine.create();
    await openOnce(database);
    const columns = await database.rows(
      engine.name === 'postgres'
        ? `SELECT table_name, column_name, CASE data_type WHEN 'bigint' THEN 'integer' ELSE data_type END AS type
           FROM information_schema.columns WHERE table_schema = 'public' AND table_name <> 'petstore_schema'`
        : `SELECT t.name AS table_name, c.name AS column_name, lower(c.type) AS type
           FROM sqlite_schema t JOIN pragma_table_info(t.name) c WHERE t.type = 'table'`,
    );
    const found = columns.map(({ table_name, column_name, type }) => `${table_name}.${column_name} ${type}`);
    await using source = await openTransfer('production', database.location, 'read');
    const carried = source.tables.flatMap((table) =>
      table.columns.map(({ name, type }) => `${table.name}.${name} ${type.toLowerCase()}`),
    );
    expect(found.sort()).toEqual(carried.sort());
  });
});
