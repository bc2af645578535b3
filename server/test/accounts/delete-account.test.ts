import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { closeAccount } from '../../src/accounts/change-account.ts';
import type { PasswordHasher } from '../../src/accounts/passwords.ts';
import { eraseStore } from '../../src/stores/end-stores.ts';
import { engines, sqlite, type TestDatabase } from '../support/engines.ts';
import { insertOrders } from '../support/orders.ts';
import { startService, type TestService } from '../support/service.ts';
import { clientOf } from '../support/v2.ts';
import {
  codeOf,
  createKey,
  fastAccounts,
  firstKey,
  openBrowser,
  PASSWORD,
  signUpAndIn,
  statusOf,
} from './browser.ts';

const tablesIn = {
  sqlite: `SELECT name FROM sqlite_master WHERE type = 'table'`,
  postgres: `SELECT relname AS name FROM pg_class WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace`,
};

const nobodys = ['attempts', 'audit', 'petstore_schema', 'probes', 'secrets'];

/** Every table, except rows without an account: in `audit`, attempts by unknown addresses. */
async function rowsIn(database: TestDatabase): Promise<Record<string, bigint>> {
  const counts: Record<string, bigint> = {};
  for (const { name } of await database.rows(tablesIn[database.engine])) {
    const [row] = await database.rows(`SELECT count(*) AS n FROM ${name}`);
    if (!nobodys.includes(name as string)) counts[name as string] = row?.n as bigint;
  }
  return counts;
}
describe.each(engines)('deleting an account on $name', (engine) => {
  it('ends its temporary stores', async () => {
    await using service = await startService(engine, { accounts: fastAccounts, deployment: 'staging' });
    const joined = await signUpAndIn(service);
    const { request } = service;
    const headers = { 'content-type': 'application/json' };
    const opened = await request('POST /v2/sandbox/stores', {
      key: (await firstKey(joined)).key,
      headers,
      body: '{}',
    });
    const { key } = opened.json<{ key: string }>();
    const other = await service.openStore();
    expect((await request('GET /v1/pets', { key })).status).toBe(200);
    expect((await joined.browser.send('DELETE /account', { password: PASSWORD })).status).toBe(204);
    expect((await request('GET /v1/pets', { key })).status).toBe(401);
    await service.app.idle();
    expect(await service.database.rows('SELECT id FROM stores')).toEqual([{ id: other.storeId }]);
  });

  it('deletes all of its rows and nothing of any other account', async () => {
    await using service = await startService(engine, {
      accounts: fastAccounts,
      inspector: false,
      deployment: 'staging',
    });
    const stays = await signUpAndIn(service);
    const staysKey = await firstKey(stays);
    const before = await rowsIn(service.database);

    const goes = await signUpAndIn(service);
    const { key } = await firstKey(goes);
    await createKey(goes, { name: 'another' });
    const token = (await goes.browser.send('POST /token')).json<{ key: string }>();
    const second = openBrowser(service);
    await second.send('POST /sign-in', { email: goes.email, password: PASSWORD });
    const client = clientOf(service, { key });
    const order = { petId: 5, quantity: 1 };
    await client('POST /v2/store/orders', { body: order, headers: { 'idempotency-key': 'once' } });
    const added = await client('POST /v2/webhooks', { body: { url: 'https://receiver.invalid/' } });
    const hook = `/v2/webhooks/${added.json<{ id: string }>().id}`;
    await client(`PATCH ${hook}`, { body: { active: false } });
    await client(`POST ${hook}/test`);
    await client('PUT /v2/sandbox/faults', { body: [{ operation: 'v1.cancelOrder', fault: 'drop' }] });
    await service.database.exec(
      `INSERT INTO requests (store_id, id, key_id, request_id, method, path, status, micros)
       SELECT store_id, 1, 'k', 'r', 'GET', '/', 200, 1 FROM faults`,
    );
    const filled = await rowsIn(service.database);
    expect(Object.keys(before).filter((table) => (filled[table] ?? 0n) <= (before[table] ?? 0n))).toEqual([]);

    expect(codeOf(await goes.browser.send('DELETE /account', { password: 'not-the-password-1' }))).toBe(
      '401 invalid_credentials',
    );
    expect(codeOf(await goes.browser.send('DELETE /account', {}))).toBe('400 invalid_body');
    expect(await statusOf(service, key)).toBe(200);

    expect((await goes.browser.send('DELETE /account', { password: PASSWORD })).status).toBe(204);
    expect(goes.browser.cookies.size).toBe(0);
    await service.app.idle();
    expect(await rowsIn(service.database)).toEqual(before);
    const [auditLog] = await service.database.rows(
      'SELECT count(*) AS n FROM audit WHERE account_id NOT IN (SELECT id FROM accounts)',
    );
    expect(auditLog?.n).toBe(0n);
    expect(await statusOf(service, key)).toBe(401);
    expect(await statusOf(service, token.key)).toBe(401);
    expect(codeOf(await second.send('GET /session'))).toBe('401 not_signed_in');
    const again = await goes.browser.send('POST /sign-in', { email: goes.email, password: PASSWORD });
    expect(codeOf(again)).toBe('401 invalid_credentials');
    expect(await statusOf(service, staysKey.key)).toBe(200);
    expect((await stays.browser.send('GET /session')).status).toBe(200);
  });

  it('frees the address for a new, empty start', async () => {
    await using service = await startService(engine, { accounts: fastAccounts });
    const member = await signUpAndIn(service);
    const old = await firstKey(member);
    await service.request('DELETE /v1/store/orders/2', { key: old.key });
    await member.browser.send('DELETE /account', { password: PASSWORD });
    const { key } = await firstKey(await signUpAndIn(service, member.email));
    expect((await service.request('GET /v2/store/orders/2', { key })).text).toContain('"pending"');
    expect(await statusOf(service, old.key)).toBe(401);
  });

  it('leaves no audit entry from a concurrent sign-in attempt', async () => {
    const [begun, goOn] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const wrapHasher = (): PasswordHasher => ({
      ...fastAccounts.wrapHasher(),
      async verify(given) {
        if (given.password === PASSWORD) return true;
        begun.resolve();
        await goOn.promise;
        return false;
      },
    });
    await using service = await startService(engine, { accounts: { ...fastAccounts, wrapHasher } });
    const { email, browser } = await signUpAndIn(service);
    const trying = openBrowser(service).send('POST /sign-in', { email, password: 'not-the-password-1' });
    await begun.promise;
    expect((await browser.send('DELETE /account', { password: PASSWORD })).status).toBe(204);
    goOn.resolve();
    expect(codeOf(await trying)).toBe('401 invalid_credentials');
    const auditLog = await service.database.rows('SELECT account_id, what FROM audit');
    expect(auditLog).toEqual([{ account_id: expect.stringMatching(/^nobody .$/), what: 'sign_in_failed' }]);
  });

  it('erases a large store completely', async () => {
    await using service = await startService(engine, { accounts: fastAccounts });
    const before = await rowsIn(service.database);
    const member = await signUpAndIn(service);
    await firstKey(member);
    const [store] = await service.database.rows('SELECT id FROM stores');
    const ids = Array.from({ length: 3500 }, (_, index) => BigInt(index + 1000));
    await insertOrders(service.database, { storeId: store?.id as bigint }, ids);
    expect((await member.browser.send('DELETE /account', { password: PASSWORD })).status).toBe(204);
    await service.app.idle();
    expect(await rowsIn(service.database)).toEqual(before);
  });

  it('does not wait until stores are erased', async () => {
    const erasing = Promise.withResolvers<void>();
    await using service = await startService(engine, {
      accounts: fastAccounts,
      wrapWriter: (writer) => ({
        ...writer,
        apply: async (verb, args) => {
          if (verb.name === eraseStore.name) await erasing.promise;
          return writer.apply(verb, args);
        },
      }),
    });
    const { browser } = await signUpAndIn(service);
    expect((await browser.send('DELETE /account', { password: PASSWORD })).status).toBe(204);
    expect(await service.database.rows('SELECT closed_at FROM stores WHERE closed_at > 0')).toHaveLength(1);
    erasing.resolve();
    await service.app.idle();
    expect(await service.database.rows('SELECT id FROM stores')).toEqual([]);
  });

  it('ends every key at once, before the store is erased', async () => {
    await using service = await startService(engine, { accounts: fastAccounts });
    const member = await signUpAndIn(service);
    const { key } = await firstKey(member);
    const token = (await member.browser.send('POST /token')).json<{ key: string }>();
    const [row] = await service.database.rows('SELECT account_id, password FROM credentials');
    const { writer } = service.deployment;
    const [accountId, passwordHash] = [String(row?.account_id), String(row?.password)];
    await writer.apply(closeAccount, { accountId, passwordHash, at: BigInt(Date.now()) });
    expect([await statusOf(service, key), await statusOf(service, token.key)]).toEqual([401, 401]);
  });

  it('is finished by the next start if the program was stopped in between', async () => {
    await using service = await startService(engine, { accounts: fastAccounts });
    const before = await rowsIn(service.database);
    const member = await signUpAndIn(service);
    await firstKey(member);
    // As left by a program that was stopped right after deleting the account.
    await service.database.exec(
      `DELETE FROM accounts; DELETE FROM keys; UPDATE stores SET owner = NULL, closed_at = 1`,
    );
    await using replica = await startService(engine, { database: service.database, accounts: fastAccounts });
    await replica.app.idle();
    expect(await rowsIn(service.database)).toEqual(before);
  });

  it('prevents concurrent sign-ins and new keys, on every replica', async () => {
    await using service = await startService(engine, { accounts: fastAccounts });
    await using replica = await startService(engine, { database: service.database, accounts: fastAccounts });
    const before = await rowsIn(service.database);
    const statuses = await Promise.all(Array.from({ length: 4 }, () => leaveInHaste(service, replica)));
    expect(statuses.flat().filter((status) => status >= 500)).toEqual([]);
    expect(statuses.map((some) => some.filter((status) => status === 204).length)).toEqual([1, 1, 1, 1]);
    await Promise.all([service.app.idle(), replica.app.idle()]);
    expect(await rowsIn(service.database)).toEqual(before);
  });
});

/** A new user deletes the account twice while everything else continues; returns all statuses. */
async function leaveInHaste(service: TestService, replica: TestService): Promise<number[]> {
  const { email, browser } = await signUpAndIn(service);
  const there = openBrowser(replica);
  for (const [name, value] of browser.cookies) there.cookies.set(name, value);
  const credentials = { email, password: PASSWORD };
  const responses = await Promise.all([
    ...['GET /session', 'POST /token', 'GET /keys'].map((call) => browser.send(call)),
    ...['GET /session', 'POST /token', 'GET /keys'].map((call) => there.send(call)),
    openBrowser(replica).send('POST /sign-in', credentials),
    browser.send('DELETE /account', { password: PASSWORD }),
    there.send('DELETE /account', { password: PASSWORD }),
    openBrowser(service).send('POST /sign-in', credentials),
  ]);
  return responses.map(({ status }) => status);
}

it('leaves no text of it in an SQLite file, once the log is checkpointed', async () => {
  await using database = await sqlite.create();
  const names = Array.from({ length: 300 }, (_, i) => `Unforgettable ${i}`);
  let email = '';
  {
    await using service = await startService(sqlite, { database, accounts: fastAccounts });
    const stays = await signUpAndIn(service);
    const goes = await signUpAndIn(service);
    email = goes.email;
    const { key } = await firstKey(goes);
    const headers = { 'content-type': 'application/json' };
    for (const name of names) {
      const body = JSON.stringify({ name, category: 'dog' });
      expect((await service.request('POST /v2/pets', { key, headers, body })).status).toBe(201);
    }
    expect((await goes.browser.send('DELETE /account', { password: PASSWORD })).status).toBe(204);
    expect((await stays.browser.send('GET /session')).status).toBe(200);
    await service.app.idle();
  }
  const file = readFileSync(path.join(database.location.data, 'production.db'), 'latin1');
  expect(file).toContain('stores');
  expect(file).not.toContain(email);
  expect(file).not.toContain('Unforgettable');
});
