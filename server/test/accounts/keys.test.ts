import { describe, expect, it } from 'vitest';
import type { Database } from '../../src/database/engine.ts';
import type { Writer } from '../../src/writer/writer.ts';
import { anyEngine, engines } from '../support/engines.ts';
import { startService, useService } from '../support/service.ts';
import { steppingClock } from '../support/stepping-clock.ts';
import {
  codeOf,
  createKey,
  fastAccounts,
  firstKey,
  type KeyView,
  listKeys,
  signUpAndIn,
  statusOf,
} from './browser.ts';

const HOUR = 60 * 60 * 1000;

describe.each(engines)('keys in the console on $name', (engine) => {
  let ahead = 0;

  const clock = steppingClock();

  const service = useService(engine, { accounts: fastAccounts, now: () => clock() + ahead });

  let joined: ReturnType<typeof signUpAndIn> | undefined;

  /** For tests that leave nothing behind which another would notice. */
  const shared = () => {
    joined ??= signUpAndIn(service());
    return joined;
  };

  const later = async (milliseconds: number, work: () => Promise<void>) => {
    ahead = milliseconds;
    try {
      await work();
    } finally {
      ahead = 0;
    }
  };

  it('are listed newest first, without the key itself', async () => {
    const member = await signUpAndIn(service());
    const first = await firstKey(member);
    const created = await createKey(member, { name: 'build server' });
    const keys = await listKeys(member);
    expect(keys.map(({ id }) => id)).toEqual([created.id, first.id]);
    expect(keys[0]).toEqual({
      id: created.id,
      name: 'build server',
      lastFour: created.key.slice(-4),
      scope: 'full',
      createdAt: created.createdAt,
      expiresAt: null,
      lastUsedAt: null,
      revokedAt: null,
      replacedBy: null,
    });
    expect(await statusOf(service(), created.key)).toBe(200);
  });

  it('can expire', async () => {
    const member = await signUpAndIn(service());
    const expiresAt = new Date(clock() + HOUR).toISOString();
    const created = await createKey(member, { name: 'for an hour', expiresAt });
    expect(created.expiresAt).toBe(expiresAt);
    expect(await statusOf(service(), created.key)).toBe(200);
    await later(HOUR, async () => expect(await statusOf(service(), created.key)).toBe(401));
  });

  it.each([
    '<script>alert(1)</script>',
    '"><img src=x onerror=alert(1)>',
    "'); DROP TABLE keys; --",
    '{{constructor.constructor("alert(1)")()}}',
    'Ключ №1 🗝',
    'x'.repeat(60),
  ])('store the name %j unchanged, as JSON text', async (name) => {
    const member = await shared();
    const created = await createKey(member, { name });
    const response = await member.browser.send('GET /keys');
    expect(created.name).toBe(name);
    expect(response.headers['content-type']).toMatch(/^application\/json/);
    expect(response.headers['x-content-type-options']).toBe('nosniff');
    expect(response.json<{ data: KeyView[] }>().data[0]?.name).toBe(name);
  });

  it('are rejected from the next request after revocation, on every replica', async () => {
    await using replica = await startService(engine, { database: service().database });
    const member = await signUpAndIn(service());
    const { id, key } = await createKey(member, { name: 'a' });
    expect(await statusOf(replica, key)).toBe(200);
    expect((await member.browser.send(`DELETE /keys/${id}`)).status).toBe(204);
    expect(await statusOf(replica, key)).toBe(401);
    expect(await statusOf(service(), key)).toBe(401);
    const [shown] = await listKeys(member);
    expect(shown?.revokedAt).toMatch(/Z$/);
    expect((await member.browser.send(`DELETE /keys/${id}`)).status).toBe(204);
    expect((await listKeys(member))[0]?.revokedAt).toBe(shown?.revokedAt);
  });

  it.each([
    ['now', 0],
    ['1h', HOUR],
    ['24h', 24 * HOUR],
  ])('are rolled with the overlap %s', async (overlap, milliseconds) => {
    const member = await signUpAndIn(service());
    const old = await createKey(member, { name: 'rolling' });
    const response = await member.browser.send(`POST /keys/${old.id}/roll`, { overlap });
    const rolled = response.json<KeyView>();
    expect(response.status).toBe(201);
    expect(rolled).toMatchObject({ name: 'rolling', expiresAt: null, revokedAt: null });
    expect(rolled.id).not.toBe(old.id);
    expect((await listKeys(member)).map(({ name }) => name)).toEqual(['rolling', 'rolling']);
    expect(await statusOf(service(), rolled.key)).toBe(200);
    expect(await statusOf(service(), old.key)).toBe(milliseconds === 0 ? 401 : 200);
    await later(milliseconds + 5000, async () => {
      expect(await statusOf(service(), old.key)).toBe(401);
      expect(await statusOf(service(), rolled.key)).toBe(200);
    });
  });

  it('do not live longer by being rolled', async () => {
    const member = await signUpAndIn(service());
    const expiresAt = new Date(clock() + HOUR / 2).toISOString();
    const old = await createKey(member, { name: 'short', expiresAt });
    const response = await member.browser.send(`POST /keys/${old.id}/roll`, { overlap: '24h' });
    expect(response.json<KeyView>().expiresAt).toBe(expiresAt);
    expect((await listKeys(member)).map((key) => key.expiresAt)).toEqual([expiresAt, expiresAt]);
  });

  it('cannot be rolled once inactive, and are rolled once by concurrent requests', async () => {
    const member = await signUpAndIn(service());
    const { id } = await createKey(member, { name: 'a' });
    const roll = () => member.browser.send(`POST /keys/${id}/roll`, { overlap: 'now' });
    const statuses = (await Promise.all([roll(), roll(), roll()])).map(({ status }) => status);
    expect(statuses.sort()).toEqual([201, 409, 409]);
    expect(codeOf(await roll())).toBe('409 key_revoked');
    const short = await createKey(member, {
      name: 'b',
      expiresAt: new Date(clock() + HOUR).toISOString(),
    });
    await later(HOUR, async () => {
      const response = await member.browser.send(`POST /keys/${short.id}/roll`, { overlap: '1h' });
      expect(codeOf(response)).toBe('409 key_revoked');
    });
    expect(codeOf(await member.browser.send(`POST /keys/${id}/roll`, { overlap: '2h' }))).toBe(
      '400 invalid_body',
    );
  });

  it('of other accounts, of sessions, and unknown ones are not found', async () => {
    const [member, otherAccount] = [await signUpAndIn(service()), await signUpAndIn(service())];
    const { id, key } = await createKey(otherAccount, { name: 'not yours' });
    await member.browser.send('POST /token');
    const [token] = await service().database.rows('SELECT id FROM keys WHERE session_id IS NOT NULL');
    for (const target of [id, String(token?.id), 'key_nobody', '%00', '..']) {
      const deleted = await member.browser.send(`DELETE /keys/${target}`);
      expect(codeOf(deleted)).toBe('404 not_found');
      const rolled = await member.browser.send(`POST /keys/${target}/roll`, { overlap: 'now' });
      expect(codeOf(rolled)).toBe('404 not_found');
    }
    expect(await statusOf(service(), key)).toBe(200);
  });

  it('show their last use: immediately on this replica, and on others after the first', async () => {
    const before = clock();
    const shown = async (use: (key: KeyView) => Promise<unknown>) => {
      const member = await signUpAndIn(service());
      const created = await createKey(member, { name: 'used' });
      await use(created);
      return { member, created };
    };
    const { member } = await shown(({ key }) => statusOf(service(), key));
    const [here] = await listKeys(member);
    expect(Date.parse(here?.lastUsedAt ?? '')).toBeGreaterThanOrEqual(before);

    await using replica = await startService(engine, { database: service().database });
    const otherPlace = await shown(({ key }) => statusOf(replica, key));
    await replica.app.idle();
    const [there] = await listKeys(otherPlace.member);
    expect(Date.parse(there?.lastUsedAt ?? '')).toBeGreaterThanOrEqual(before);
  });

  it('record a use during a write of earlier uses', async () => {
    const { promise: released, resolve: release } = Promise.withResolvers<void>();
    const { promise: begun, resolve: begin } = Promise.withResolvers<void>();
    const { deployment } = service();
    const slow = {
      ...deployment.writer,
      onCommit: deployment.writer.onCommit.bind(deployment.writer),
      async apply(verb, args) {
        if (verb.name === 'recordKeyUse') {
          begin();
          await released;
        }
        return deployment.writer.apply(verb, args);
      },
    } as Writer;
    await using replica = await startService(engine, {
      database: service().database,
      writer: slow,
      accounts: fastAccounts,
    });
    const member = await signUpAndIn(replica);
    const created = await createKey(member, { name: 'used' });
    await statusOf(replica, created.key);
    await begun;
    const [shown] = await listKeys(member);
    release();
    expect(shown).toMatchObject({ id: created.id, lastUsedAt: expect.any(String) });
  });

  it('record a use right after earlier uses were read for writing', async () => {
    const { deployment } = service();
    const { promise: isRead, resolve: read } = Promise.withResolvers<void>();
    const { promise: isWritten, resolve: written } = Promise.withResolvers<void>();
    const writer = {
      ...deployment.writer,
      async apply(verb, args) {
        if (verb.name !== 'recordKeyUse') return deployment.writer.apply(verb, args);
        await isRead;
        const result = await deployment.writer.apply(verb, args);
        // The job continues before the reader.
        setImmediate(written);
        return result;
      },
    } as Writer;
    const db: Database = {
      ...deployment.db,
      async all(query, params) {
        const rows = await deployment.db.all(query, params);
        if (!rows.some((row) => 'replacedBy' in (row as object))) return rows;
        read();
        await isWritten;
        return rows;
      },
    };
    await using replica = await startService(engine, {
      database: service().database,
      writer,
      db,
      accounts: fastAccounts,
    });
    const member = await signUpAndIn(replica);
    const created = await createKey(member, { name: 'used' });
    await statusOf(replica, created.key);
    const [shown] = await listKeys(member);
    expect(shown).toMatchObject({ id: created.id, lastUsedAt: expect.any(String) });
  });

  it('are listed in pages, active and past ones separately on request', async () => {
    const member = await signUpAndIn(service());
    const created = [await firstKey(member)];
    for (const name of ['b', 'c', 'd', 'e']) created.push(await createKey(member, { name }));
    for (const { id } of created.slice(1, 3)) await member.browser.send(`DELETE /keys/${id}`);
    const page = async (query: string) =>
      (await member.browser.send(`GET /keys${query}`)).json<{ data: KeyView[]; nextCursor: string | null }>();
    const all = (await page('')).data.map(({ id }) => id);
    expect(all.slice().sort()).toEqual(created.map(({ id }) => id).sort());

    const walked: string[] = [];
    for (let cursor: string | null = ''; cursor !== null; ) {
      const { data, nextCursor }: Awaited<ReturnType<typeof page>> = await page(
        `?limit=2${cursor && `&cursor=${cursor}`}`,
      );
      expect(data.length).toBeLessThanOrEqual(2);
      walked.push(...data.map(({ id }) => id));
      cursor = nextCursor;
    }
    expect(walked).toEqual(all);
    const names = async (state: string) =>
      (await page(`?state=${state}`)).data.map(({ name }) => name).sort();
    expect(await names('working')).toEqual(['d', 'e', 'first key']);
    expect(await names('past')).toEqual(['b', 'c']);
    for (const query of ['?limit=0', '?limit=1001', '?state=x', '?other=1']) {
      expect(codeOf(await member.browser.send(`GET /keys${query}`))).toBe('400 invalid_parameter');
    }
    expect(codeOf(await member.browser.send('GET /keys?cursor=key_x'))).toBe('400 invalid_cursor');
  });

  // The rest is decided before any query.
  if (!anyEngine.includes(engine)) return;

  it.each([
    {},
    { name: '' },
    { name: '   ' },
    { name: 'x'.repeat(61) },
    { name: 'two\nlines' },
    { name: 'nul\u0000' },
    { name: 'turned \u202e round' },
    { name: 'half \ud83d of a pair' },
    { name: 7 },
    { name: 'a', expiresAt: 'tomorrow' },
    { name: 'a', expiresAt: '2020-01-01T00:00:00Z' },
    { name: 'a', expiresAt: 4102444800000 },
    { name: 'a', key: 'pst_live_mine' },
  ])('are rejected as %j', async (body) => {
    const { browser } = await shared();
    expect(codeOf(await browser.send('POST /keys', body))).toBe('400 invalid_body');
  });
});
