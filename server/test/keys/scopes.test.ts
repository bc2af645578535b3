import { describe, expect, it } from 'vitest';
import { v2Document } from '../../src/api/v2-document.ts';
import { v1Document } from '../../src/v1/document.ts';
import { createKey, fastAccounts, firstKey, listKeys, signUpAndIn } from '../accounts/browser.ts';
import { runCommand } from '../support/command.ts';
import { engines } from '../support/engines.ts';
import { useService } from '../support/service.ts';

const documents = { v1: v1Document, v2: v2Document } as const;

/** Every operation of both versions, with a path that names something. */
const operations = Object.entries(documents).flatMap(([version, { paths }]) =>
  Object.entries(paths).flatMap(([path, item]) =>
    Object.keys(item).map((method) => ({
      method: method.toUpperCase(),
      target: `${method.toUpperCase()} /${version}${path.replace(/\{\w+\}/g, '2')}`,
    })),
  ),
);
const changes = operations.filter(({ method }) => method !== 'GET').map(({ target }) => target);
const reads = operations
  .filter(({ method }) => method === 'GET')
  .map(({ target }) => (/^GET \/v2.*s$/.test(target) ? `${target}?limit=1` : target))
  // A stream has no end to wait for.
  .map((target) => target.replace(/^GET (.*\/stream)$/, 'HEAD $1'));

describe.each(engines)('a read-only key on $name', (engine) => {
  const service = useService(engine, { accounts: fastAccounts });

  it('can read everything; every change is 403 and has no effect', async () => {
    const member = await signUpAndIn(service());
    const { key: full } = await firstKey(member);
    const { key, scope } = await createKey(member, { name: 'reader', scope: 'read' });
    expect(scope).toBe('read');
    const { request } = service();
    const before = await request('GET /v1/store/orders', { key: full });
    // Missing resources, such as a webhook, or the sandbox on production, are 404 before 403.
    const isMissing = (target: string) => /\/webhooks\/|\/sandbox\//.test(target);
    for (const target of reads)
      expect([target, (await request(target, { key })).status]).toEqual([
        target,
        isMissing(target) ? 404 : 200,
      ]);
    expect(changes.length).toBeGreaterThan(5);
    const elsewhere = ['POST /v1/nothing', 'DELETE /v2', 'PUT /v1/pets', 'DELETE /v1/store/orders/999'];
    for (const target of [...changes, ...elsewhere]) {
      const rejected = await request(target, { key });
      expect([target, rejected.status, rejected.json()]).toMatchObject([
        target,
        403,
        { code: 'forbidden', status: 403n },
      ]);
    }
    expect((await request('GET /v1/nothing', { key })).status).toBe(404);
    expect((await request('DELETE /v1/store/orders/2')).status).toBe(401);
    const after = await request('GET /v1/store/orders', { key: full });
    expect([after.text, after.headers.etag]).toEqual([before.text, before.headers.etag]);
  });

  it('stays read-only when rolled, and the list shows each key’s permissions', async () => {
    const member = await signUpAndIn(service());
    await firstKey(member);
    const { id } = await createKey(member, { name: 'reader', scope: 'read' });
    const rolled = (await member.browser.send(`POST /keys/${id}/roll`, { overlap: 'now' })).json<{
      key: string;
      scope: string;
    }>();
    expect(rolled.scope).toBe('read');
    expect((await service().request('DELETE /v1/store/orders/2', { key: rolled.key })).status).toBe(403);
    expect((await listKeys(member)).map(({ name, scope }) => [name, scope])).toEqual([
      ['reader', 'read'],
      ['reader', 'read'],
      ['first key', 'full'],
    ]);
  });

  it('must have an existing scope', async () => {
    const { browser } = await signUpAndIn(service());
    for (const scope of ['write', '', null, 1]) {
      expect((await browser.send('POST /keys', { name: 'x', scope })).status).toBe(400);
    }
  });

  it('is created on the command line, with a custom expiry', async () => {
    const { flags } = service().database;
    const create = (...more: string[]) => runCommand(['keys', 'create', ...more, ...flags]);
    const created = await create('--scope', 'read', '--expires', '2099-12-01T08:00:00Z');
    expect(created).toMatchObject({ code: 0, stderr: '' });
    const key = created.stdout.trimEnd();
    expect((await service().request('DELETE /v1/store/orders/2', { key })).status).toBe(403);
    expect((await service().request('GET /v1/pets', { key })).status).toBe(200);
    const listed = await runCommand(['keys', 'list', ...flags]);
    expect(listed.stdout).toMatch(new RegExp(`…${key.slice(-4)} +active +read .*2099-12-01 08:00 UTC`));
    for (const wrong of [
      ['--scope', 'write'],
      ['--expires', 'soon'],
      ['--expires', '2001-01-01T00:00:00Z'],
      ['--expires', '0d'],
    ]) {
      expect(await create(...wrong)).toMatchObject({ code: 2, stdout: '' });
    }
  });
});
