import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { columnsCreatedBy, migrations, schemaVersion } from '../../src/database/migrations.ts';
import { openPostgres } from '../../src/database/postgres.ts';
import { preparePostgres } from '../../src/database/prepare-postgres.ts';
import { query } from '../../src/database/query.ts';
import { runCommand } from '../support/command.ts';
import { startProgram } from '../support/program.ts';
import { startService } from '../support/service.ts';
import { eventually } from './support/eventually.ts';
import { connect, useOwnPostgres } from './support/own-postgres.ts';
import { oneOfEach, sendRequest } from './support/requests.ts';

const idleTimeout = query(
  (_, __: Record<never, never>) =>
    sql<{ timeout: string }>`SELECT current_setting('idle_in_transaction_session_timeout') AS timeout`,
);

describe('on PostgreSQL', () => {
  const postgres = useOwnPostgres();

  /** The one line with which the program rejects a database. */
  async function domainError(flags: readonly string[], expected = 1): Promise<string> {
    const { code, stdout, stderr } = await runCommand(['keys', 'create', ...flags]);
    expect([code, stdout]).toEqual([expected, '']);
    expect(stderr).toMatch(/^petstore: [^\n]+\n$/);
    return stderr;
  }

  it('a connection closed while it is being opened is an ordinary error', async () => {
    const message = (type: string, body: Buffer) => {
      const head = Buffer.from(`${type}\0\0\0\0`);
      head.writeInt32BE(body.length + 4, 1);
      return Buffer.concat([head, body]);
    };
    const error = 'SFATAL\0VFATAL\0C57P01\0Mterminating connection due to administrator command\0\0';
    const greeting = [message('R', Buffer.alloc(4)), message('Z', Buffer.from('I'))];
    const all = Buffer.concat([...greeting, message('E', Buffer.from(error))]);
    const server = createServer((socket) => {
      socket.on('error', () => {}).once('data', () => socket.end(all));
    });
    await once(server.listen(0, '127.0.0.1'), 'listening');
    const { port } = server.address() as AddressInfo;
    const flags = ['--deployment', 'production', '--database', `postgres://x@127.0.0.1:${port}/x`];
    expect(await domainError(flags)).toContain('cannot connect to the database');
    server.close();
  });

  it('a running program listens to other replicas’ commits', async () => {
    await using database = await postgres().engine.create();
    await using _ = await startProgram(['--port', '0', ...database.flags]);
    const listening = `SELECT pid FROM pg_stat_activity
      WHERE datname = current_database() AND pid <> pg_backend_pid() AND query LIKE '%LISTEN petstore_commits'`;
    await eventually(
      () => database.rows(listening),
      (rows) => rows.length > 0,
    );
  });

  it('three replicas can start at once on an empty database', async () => {
    const database = await postgres().engine.create();
    const starting = Array.from({ length: 3 }, () => startProgram(['--port', '0', ...database.flags]));
    const replicas = await Promise.all(starting);
    try {
      const rows = await database.rows('SELECT version FROM petstore_schema');
      expect(rows).toEqual([{ version: BigInt(schemaVersion) }]);
      // Each printed a key of the one demonstration account: all work on all, and open the same store.
      expect(await database.rows('SELECT count(*) AS count FROM stores')).toEqual([{ count: 1n }]);
      for (const { port } of replicas)
        for (const { key } of replicas) {
          const page = await sendRequest({ port }, 'GET /v2/store/orders?limit=1', key);
          expect(page.status).toBe(200);
        }
      // A cursor that one of them sealed is read by the others.
      const [first] = replicas;
      const { text } = await sendRequest(
        { port: Number(first?.port) },
        'GET /v2/store/orders?limit=1',
        String(first?.key),
      );
      const { nextCursor } = JSON.parse(text) as { nextCursor: string };
      for (const { port, key } of replicas) {
        const next = await sendRequest({ port }, `GET /v2/store/orders?limit=1&cursor=${nextCursor}`, key);
        expect([next.status, next.text]).toEqual([200, expect.stringContaining('"id":2,')]);
      }
    } finally {
      await Promise.all(replicas.map((replica) => replica[Symbol.asyncDispose]()));
    }
  });

  it('a replica keeps working while a newer one migrates; an older one no longer starts', async () => {
    await using service = await startService(postgres().engine);
    const store = await service.openStore();
    const webhook = await sendRequest(service, 'POST /v2/webhooks', store.key, {
      body: '{"url":"https://receiver.invalid/"}',
      headers: { 'content-type': 'application/json' },
    });
    const reads = [
      ...['/v2/store/requests', '/v2/store/events', '/v2/store/summary', '/v2/store/orders/2/history'],
      ...['/v2/pets', '/v2/webhooks', `${webhook.headers.get('location')}/deliveries`],
    ];
    const statuses = new Set<number>();
    const everything = async () => {
      const reading = reads.map((path) => sendRequest(service, `GET ${path}`, store.key));
      const responses = await Promise.all([...reading, oneOfEach(service, store.key)]);
      for (const { status } of responses.flat()) statuses.add(status);
    };
    await everything();
    let over = false;
    const working = (async () => {
      while (!over) await everything();
    })();
    // What a migration may do: add tables; add columns that may be null or have a default, to one table.
    const newer = await connect(String(service.database.location.database));
    const tables = new Set(columnsCreatedBy(migrations).map(({ table }) => table));
    for (const change of [
      'CREATE TABLE notes (id BIGINT PRIMARY KEY)',
      "ALTER TABLE stores ADD COLUMN plan TEXT NOT NULL DEFAULT 'free'",
      ...Array.from(tables, (table) => `ALTER TABLE ${table} ADD COLUMN note TEXT`),
    ]) {
      await newer.query(`BEGIN; SELECT pg_advisory_xact_lock(${0x50455453}); ${change};
        UPDATE petstore_schema SET version = version + 1; COMMIT`);
    }
    await newer.end();
    for (let i = 0; i < 5; i++) await everything();
    over = true;
    await working;
    expect([...statuses].filter((status) => status >= 500)).toEqual([]);

    expect(await domainError(service.database.flags)).toContain(
      `the database has schema version ${schemaVersion + 2 + tables.size}, newer than this program's ${schemaVersion}`,
    );
  });

  const IMPATIENT =
    '?statement_timeout=200&query_timeout=200&lock_timeout=200&idle_in_transaction_session_timeout=200';

  it('a migration has no time limit, whatever timeouts the address sets', async () => {
    await using database = await postgres().engine.create();
    const slow = {
      version: schemaVersion + 1,
      statements: (on: string) => (on === 'postgres' ? ['SELECT pg_sleep(1)'] : []),
    };
    await preparePostgres(`${database.location.database}${IMPATIENT}`, false, [...migrations, slow]);
    const rows = await database.rows('SELECT version FROM petstore_schema');
    expect(rows).toEqual([{ version: BigInt(schemaVersion + 1) }]);
  });

  it('a reader of a large list has ten minutes, whatever timeouts the address sets', async () => {
    await using created = await postgres().engine.create();
    const impatient = '?idle_in_transaction_session_timeout=200';
    const database = openPostgres(`${created.location.database}${impatient}`);
    await using snapshot = await database.snapshot();
    expect(await snapshot.all(idleTimeout, {})).toEqual([{ timeout: '10min' }]);
    await database.close();
  });

  it('a replica waits for the one that is migrating', async () => {
    const database = await postgres().engine.create();
    const other = await connect(String(database.location.database));
    await other.query(`BEGIN; SELECT pg_advisory_xact_lock(${0x50455453})`);
    const starting = startService(postgres().engine, { database });
    await eventually(
      () => database.rows("SELECT 1 AS one FROM pg_locks WHERE locktype = 'advisory' AND NOT granted"),
      (rows) => rows.length > 0,
    );
    await other.end();
    await using service = await starting;
    expect((await sendRequest(service, 'GET /readyz')).status).toBe(200);
  });

  it('rejects a database that may lose acknowledged commits, unless explicitly allowed', async () => {
    for (const setting of ['fsync', 'full_page_writes', 'synchronous_commit']) {
      const { flags } = await postgres().engine.create();
      await change(setting, 'off');
      const line = await domainError(flags);
      expect(line).toContain(`the database has ${setting} off and could lose acknowledged changes`);
      expect(line).toContain('--accept-unsafe-database');
      const accepted = await runCommand(['keys', 'create', ...flags, '--accept-unsafe-database']);
      expect([accepted.code, accepted.stderr]).toEqual([0, '']);
      await change(setting, 'on');
    }
  });

  it('keeps waiting for the disk when a configuration reload disables it', async () => {
    await using service = await startService(postgres().engine);
    const store = await service.openStore();
    await change('synchronous_commit', 'off');
    try {
      // The setting of writing transactions, on connections from before the reload and on new ones.
      await service.database.exec(`
        CREATE TABLE seen (synchronous_commit TEXT);
        CREATE FUNCTION see() RETURNS trigger LANGUAGE plpgsql AS
          $$ BEGIN INSERT INTO seen VALUES (current_setting('synchronous_commit')); RETURN NEW; END $$;
        CREATE TRIGGER seeing AFTER INSERT ON changes FOR EACH ROW EXECUTE FUNCTION see()`);
      await oneOfEach(service, store.key);
      await service.database.rows(
        `SELECT pg_terminate_backend(pid)::text AS ended FROM pg_stat_activity
         WHERE datname = current_database() AND application_name = 'petstore'`,
      );
      await eventually(
        () => sendRequest(service, 'DELETE /v1/store/orders/8', store.key),
        ({ status }) => status === 204,
      );
      expect(await service.database.rows('SELECT DISTINCT synchronous_commit FROM seen')).toEqual([
        { synchronous_commit: 'on' },
      ]);
    } finally {
      await change('synchronous_commit', 'on');
    }
  });

  async function change(setting: string, to: 'on' | 'off'): Promise<void> {
    await postgres().query(`ALTER SYSTEM SET ${setting} = ${to}`);
    await postgres().query('SELECT pg_reload_conf()');
    await eventually(
      () => postgres().query(`SHOW ${setting}`),
      ([row]) => row?.[setting] === to,
    );
  }

  it('rejects another program’s database without changing it', async () => {
    const { flags, rows, exec } = await postgres().engine.create();
    await exec('CREATE TABLE orders (id INT)');
    expect(await domainError(flags)).toContain('relation "orders" already exists');
    const tables = await rows(
      "SELECT table_name FROM information_schema.tables WHERE table_schema = 'public'",
    );
    expect(tables).toEqual([{ table_name: 'orders' }]);
  });

  it('rejects a database where it may not create tables', async () => {
    const { flags } = await postgres().engine.create();
    await postgres().query("CREATE ROLE visitor LOGIN PASSWORD 'visitor'");
    const as = flags.map((flag) => flag.replace('postgres:tests@', 'visitor:visitor@'));
    expect(await domainError(as)).toContain('permission denied for schema public');
  });

  it('rejects a database that cannot store all of Unicode', async () => {
    await postgres().query(
      "CREATE DATABASE latin ENCODING 'LATIN1' LC_COLLATE 'C' LC_CTYPE 'C' TEMPLATE template0",
    );
    const line = await domainError(['--deployment', 'production', '--database', postgres().url('latin')]);
    expect(line).toContain('encoding is LATIN1');
  });

  it.each([
    ['nobody listens there', 'postgres://127.0.0.1:1/petstore', 'cannot connect to the database'],
    ['the password is wrong', 'postgres://postgres:wrong@HERE/postgres', 'password authentication failed'],
    [
      'there is no such database',
      'postgres://postgres:tests@HERE/nowhere',
      'database "nowhere" does not exist',
    ],
  ])('rejects an address where %s', async (_, address, reason) => {
    const url = address.replace('HERE', `127.0.0.1:${postgres().port}`);
    const line = await domainError(['--deployment', 'production', '--database', url]);
    expect(line).toContain(reason);
    expect(line).not.toContain('wrong');
  });

  it('rejects an invalid address and shows a valid one', async () => {
    const line = await domainError(['--deployment', 'production', '--database', 'postgres://[petstore'], 2);
    expect(line).toContain('invalid --database: in its user and password, write / as %2F');
  });
});
