import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { run } from '../../../cli/src/program.ts';
import { UsageError } from '../../src/config/usage-error.ts';
import { keyMatcher } from '../../src/domain/key-format.ts';
import { runCommand, testContext } from '../support/command.ts';
import { anyEngine, engines, temporaryFolder } from '../support/engines.ts';
import { startProgram } from '../support/program.ts';
import { startService } from '../support/service.ts';

describe.each(engines)('petstore keys on $name', (engine) => {
  it('create prints a working key of a new store and nothing else; list shows it; revoke ends it at once', async () => {
    await using database = await engine.create();
    const run = (...args: string[]) => runCommand(['keys', ...args, ...database.flags]);
    const created = await run('create', '--name', 'my laptop');
    expect(created).toMatchObject({ code: 0, stderr: '' });
    const key = created.stdout.trimEnd();
    expect(created.stdout).toBe(`${key}\n`);
    expect(keyMatcher('production')(key)).toBe(true);

    await using service = await startService(engine, { database });
    expect((await service.request('GET /v1/store/orders', { key })).json()).toHaveLength(40);

    const second = (await run('create')).stdout.trimEnd();
    await service.request('DELETE /v1/store/orders/2', { key });
    expect((await service.request('GET /v1/store/orders', { key: second })).json()).toHaveLength(40);

    const listed = await run('list');
    const line = listed.stdout.split('\n').find((line) => line.includes(key.slice(-4))) ?? '';
    expect(line).toMatch(/^key_\w+ .*active .*my laptop$/);
    expect(listed.stdout).not.toContain(key.slice(0, 20));
    expect(listed.stdout).not.toContain(second.slice(0, 20));

    const keyId = line.split(' ')[0] as string;
    expect(await run('revoke', keyId)).toEqual({ code: 0, stdout: `Revoked ${keyId}\n`, stderr: '' });
    expect((await service.request('GET /v1/pets', { key })).status).toBe(401);
    expect((await service.request('GET /v1/pets', { key: second })).status).toBe(200);

    const message = `active key ${keyId} not found`;
    expect(await run('revoke', keyId)).toEqual({ code: 5, stdout: '', stderr: `petstore: ${message}\n` });
    const inJson = await run('revoke', keyId, '--json');
    expect([inJson.code, inJson.stdout]).toEqual([5, '']);
    expect(JSON.parse(inJson.stderr)).toEqual({ code: 'not_found', message, exitCode: 5 });
  });

  it.runIf(anyEngine.includes(engine))('print the same as JSON', async () => {
    await using database = await engine.create();
    const run = async (...args: string[]) => {
      const { code, stdout, stderr } = await runCommand(['keys', ...args, '--json', ...database.flags]);
      expect([code, stderr]).toEqual([0, '']);
      // Ids of stores are too large for a number.
      return JSON.parse(stdout.replaceAll(/"storeId":(\d+)/g, '"storeId":"$1"'));
    };
    const created = await run('create', '--name', 'my laptop', '--expires', '2031-12-01T08:00:00Z');
    const { key, keyId, storeId } = created;
    const second = await run('create', '--store', storeId);
    expect(second.storeId).toBe(storeId);
    expect(await run('revoke', second.keyId)).toEqual({ revoked: second.keyId });
    const listed: Array<{ id: string }> = await run('list');
    expect(listed.find(({ id }) => id === second.keyId)).toMatchObject({ state: 'revoked', expiresAt: null });
    expect(listed.find(({ id }) => id === keyId)).toEqual({
      id: keyId,
      lastFour: key.slice(-4),
      state: 'active',
      scope: 'full',
      createdAt: expect.stringMatching(/^20.*Z$/),
      expiresAt: '2031-12-01T08:00:00.000Z',
      storeId,
      owner: null,
      name: 'my laptop',
    });
    await database.exec(`UPDATE keys SET expires_at = 1 WHERE id = '${keyId}'`);
    const later: Array<{ id: string }> = await run('list');
    expect(later.find(({ id }) => id === keyId)).toMatchObject({ state: 'expired' });
  });

  it('store only a hash and the last four characters of a key', async () => {
    await using database = await engine.create();
    const key = (await runCommand(['keys', 'create', ...database.flags])).stdout.trimEnd();
    const [row] = await database.rows('SELECT * FROM keys');
    expect(Object.values(row ?? {}).filter((value) => key.includes(String(value)))).toEqual([key.slice(-4)]);
    if (database.engine === 'sqlite') {
      const folder = database.location.data;
      for (const file of readdirSync(folder)) {
        expect(readFileSync(join(folder, file)).includes(key.slice(9, 41))).toBe(false);
      }
    }
  });
});

describe('petstore keys', () => {
  it.each([
    ['no deployment', ['create']],
    ['no action', ['--deployment', 'staging']],
    ['another action', ['destroy', '--deployment', 'staging']],
    ['revoke without an id', ['revoke', '--deployment', 'staging']],
    ['revoke with two', ['revoke', 'a', 'b', '--deployment', 'staging']],
    ['create with an argument', ['create', 'x', '--deployment', 'staging']],
    ['a flag of another command', ['create', '--deployment', 'staging', '--port', '1']],
  ])('with %s is a usage error', async (_, args) => {
    await expect(
      run(['keys', ...args, '--data', '/dev/null/nowhere'], testContext().context),
    ).rejects.toThrow(UsageError);
  });

  it('list creates no missing database, and shows the owner of each key', async () => {
    using folder = temporaryFolder();
    const list = (data: string) => runCommand(['keys', 'list', '--deployment', 'staging', '--data', data]);
    const mistyped = await list(join(folder.path, 'daat'));
    expect([mistyped.code, mistyped.stdout]).toEqual([1, '']);
    expect(mistyped.stderr).toMatch(/^petstore: database .*daat\/staging\.db not found[^\n]*\n$/);
    expect(readdirSync(folder.path)).toEqual([]);

    const data = join(folder.path, 'data');
    await using program = await startProgram(['--port', '0', '--data', data, '--deployment', 'staging']);
    const origin = `http://127.0.0.1:${program.port}`;
    const post = (path: string) =>
      program.request(`POST /console/api/${path}`, {
        headers: { 'content-type': 'application/json', origin },
        body: JSON.stringify({ email: 'rex@example.com', password: 'marmalade-29-ladder' }),
      });
    expect((await post('sign-up')).status).toBe(200);
    const [cookie = ''] = [(await post('sign-in')).headers['set-cookie'] ?? ''].flat();
    await program.request('POST /console/api/session', {
      headers: { 'content-type': 'application/json', origin, cookie: cookie.split(';')[0] ?? '' },
      body: '{}',
    });
    await runCommand(['keys', 'create', '--deployment', 'staging', '--data', data, '--name', 'mine']);
    const { stdout } = await list(data);
    expect(stdout).toMatch(/ demonstration +demonstration\n/);
    expect(stdout).toMatch(/ rex@example\.com +\S/);
    expect(stdout).toMatch(/ STORE +OWNER +NAME\n/);
    expect(stdout).toMatch(/ \d+ +- +mine\n/);
  });

  it('suggest the HTTP operation instead', async () => {
    for (const flag of ['--url', '--profile']) {
      const { code, stderr } = await runCommand(['keys', 'list', flag, 'http://127.0.0.1:8080/v1', '--json']);
      expect(code).toBe(2);
      const { code: kind, message } = JSON.parse(stderr);
      expect(kind).toBe('usage');
      expect(message).toMatch(/not over HTTP.*sign in to its console and open Keys/);
      expect((await runCommand(['keys', '--help'])).stdout).toContain(message);
    }
  });
});
