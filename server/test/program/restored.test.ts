import { copyFileSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { describe, expect, it } from 'vitest';
import { type Engine, engines, type TestDatabase } from '../support/engines.ts';
import { runProgram } from '../support/program.ts';
import { startReceiver } from '../support/receiver.ts';
import { startService, type TestService } from '../support/service.ts';
import { type Client, clientOf, type Page } from '../support/v2.ts';

/** Copies a database that is not in use, as its own tools do. Each call takes the data back to that copy. */
async function copyOf(database: TestDatabase): Promise<() => Promise<TestDatabase>> {
  const { location, flags } = database;
  const restore = async (...args: readonly string[]) => {
    const { code, stderr } = await runProgram(['restore', ...args]);
    expect([code, stderr]).toEqual([0, '']);
  };
  if (location.database === undefined) {
    const copy = join(location.data, 'copy.db');
    copyFileSync(join(location.data, 'production.db'), copy);
    return async () => {
      await restore(copy, ...flags);
      return database;
    };
  }
  const url = new URL(location.database);
  const original = url.pathname.slice(1);
  const create = async (name: string, like: string) => {
    url.pathname = '/postgres';
    const client = new pg.Client({ connectionString: String(url) });
    await client.connect();
    await client.query(`CREATE DATABASE ${name} TEMPLATE ${like}`).finally(() => client.end());
    url.pathname = `/${name}`;
  };
  await create(`${original}_copy`, original);
  let restored = 0;
  return async () => {
    await create(`${original}_restored_${++restored}`, `${original}_copy`);
    await restore('--deployment', 'production', '--database', String(url));
    return { ...database, location: { ...location, database: String(url) } };
  };
}

interface Held {
  readonly eventId: string;
  readonly cursor: string | null;
  readonly etags: ReadonlyArray<readonly [path: string, etag: string]>;
}

type PetEvent = { readonly id: string; readonly data: { readonly name: string } };
const eventsAfter = async (client: Client, after: string) =>
  (await client(`GET /v2/store/events?after=${after}`)).json<Page<PetEvent>>().data;

/** The state of a client that has renamed a pet. */
async function renamed(client: Client, name: string): Promise<Held> {
  expect((await client('PATCH /v2/pets/1', { body: { name } })).status).toBe(200);
  const etags = ['/v1/pets', '/v1/store/orders', '/v2/pets/1'].map(async (path) => {
    const { headers } = await client(`GET ${path}`);
    return [path, String(headers.etag)] as const;
  });
  const page = await client('GET /v2/store/orders?limit=1');
  return {
    eventId: String((await eventsAfter(client, '0')).at(-1)?.id),
    cursor: page.json<Page<unknown>>().nextCursor,
    etags: await Promise.all(etags),
  };
}

describe.each(engines)('restored on $name', (engine: Engine) => {
  it('data never reuses an ETag, cursor or event ID of the lost changes', async () => {
    await using database = await engine.create();
    let key = '';
    const serving = async <T>(database: TestDatabase, work: (client: Client) => Promise<T>): Promise<T> => {
      await using service: TestService = await startService(engine, { database });
      key ||= (await service.openStore()).key;
      return await work(clientOf(service, { key }));
    };
    await serving(database, (client) => renamed(client, 'First'));
    const restore = await copyOf(database);
    const lost = [await serving(database, (client) => renamed(client, 'Lost'))];
    // Restored twice from the same copy, so changes after the first restore are lost as well.
    for (const name of ['Second', 'Third'])
      await serving(await restore(), async (client) => {
        const now = await renamed(client, name);
        for (const { etags, cursor, eventId } of lost) {
          for (const [path, etag] of etags) {
            const again = await client(`GET ${path}`, { headers: { 'if-none-match': etag } });
            expect([path, again.status]).toEqual([path, 200]);
          }
          const page = await client(`GET /v2/store/orders?limit=1&cursor=${cursor}`);
          expect([page.status, page.error().code]).toEqual([400, 'invalid_cursor']);
          expect((await eventsAfter(client, eventId)).map(({ data }) => data.name)).toEqual([name]);
        }
        expect((await eventsAfter(client, '0')).map(({ data }) => data.name)).toEqual(['First', name]);
        lost.push(now);
      });
  });

  it('data never reuses a webhook message ID of the lost messages', async () => {
    await using receiver = await startReceiver();
    await using database = await engine.create();
    let key = '';
    const serving = async (database: TestDatabase, name: string) => {
      await using service = await startService(engine, { database, webhooks: { allowPrivate: true } });
      key ||= (await service.openStore()).key;
      const client = clientOf(service, { key });
      if (name === 'First') await client('POST /v2/webhooks', { body: { url: receiver.url } });
      await client('PATCH /v2/pets/1', { body: { name } });
      await receiver.waitForMessage(({ body }) => JSON.parse(body).data.name === name);
    };
    await serving(database, 'First');
    const restore = await copyOf(database);
    await serving(database, 'Lost');
    for (const name of ['Second', 'Third']) await serving(await restore(), name);
    expect(new Set(receiver.received.map(({ headers }) => headers['webhook-id'])).size).toBe(4);
  });
});

describe('petstore restore', () => {
  it('needs a file, except on PostgreSQL, where it takes none', async () => {
    const embedded = await runProgram(['restore', '--deployment', 'production', '--data', '/nowhere']);
    expect([embedded.code, embedded.stderr]).toEqual([
      2,
      expect.stringContaining('restore requires the FILE'),
    ]);
    const database = ['--deployment', 'production', '--database', 'postgres://127.0.0.1:1/pets'];
    const postgres = await runProgram(['restore', 'copy.db', ...database]);
    expect([postgres.code, postgres.stderr]).toEqual([2, expect.stringContaining('run pg_restore first')]);
  });
});
