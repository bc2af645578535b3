import { chmodSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, it } from 'vitest';
import { variableOf } from '../../../cli/src/flags.ts';
import { type FlagValues, flags, locationFlags, serveFlags } from '../../src/config/flags.ts';
import { serveConfigFrom } from '../../src/config/serve-config.ts';
import { runCommand } from '../support/command.ts';
import { engines, temporaryFolder } from '../support/engines.ts';
import { freePort } from '../support/free-port.ts';
import { requesterFor, runProgram, spawnProgram, startProgram } from '../support/program.ts';

const line = {
  production: /^production {2}http:\/\/127\.0\.0\.1:(\d+)\/v1 {2}key (pst_live_\w{38})$/,
  staging: /^staging {5}http:\/\/127\.0\.0\.1:(\d+)\/v1 {2}key (pst_test_\w{38})$/,
};

describe('the program', () => {
  it('runs both deployments and prints one address per line; a restart prints the same working keys', async () => {
    using folder = temporaryFolder();
    const args = ['--port', '0', '--data', join(folder.path, 'made', 'here')];
    const printed: string[][] = [];
    for (let start = 0; start < 2; start++) {
      await using program = await startProgram(args);
      const [production, staging, ...rest] = program.lines as [string, string, ...string[]];
      const [, port, key = ''] = line.production.exec(production) ?? [];
      const [, stagingPort, stagingKey = ''] = line.staging.exec(staging) ?? [];
      expect(rest.map((text) => text.replace(/\d+(?=\/(docs|console))/, ''))).toEqual(
        expect.arrayContaining(['docs        http://127.0.0.1:/docs']),
      );
      expect(rest.slice(2)).toEqual([
        `store       http://127.0.0.1:${port}/console/open#${key}`,
        `sandbox     http://127.0.0.1:${stagingPort}/console/open#${stagingKey}`,
      ]);
      for (const text of rest.slice(0, 2)) {
        expect(text).toMatch(new RegExp(`^(docs {8}|console {5})http://127.0.0.1:${port}/(docs|console)$`));
      }
      const staged = requesterFor(Number(stagingPort));
      expect((await program.request('GET /v1/pets', { key })).status).toBe(200);
      expect((await staged('GET /v1/pets', { key: stagingKey })).status).toBe(200);
      expect((await program.request('GET /v1/pets', { key: stagingKey })).status).toBe(401);
      expect((await staged('GET /v1/pets', { key })).status).toBe(401);
      const { servers } = JSON.parse((await staged('GET /v1/openapi.json')).text);
      expect(servers).toEqual([
        { url: `http://127.0.0.1:${stagingPort}/v1`, description: 'staging' },
        { url: `http://127.0.0.1:${port}/v1`, description: 'production' },
      ]);
      printed.push([key, stagingKey]);
      expect((await program.stop('SIGTERM')).code).toBe(0);
    }
    expect(printed[1]).toEqual(printed[0]);
    for (const name of ['production', 'staging']) {
      expect(statSync(join(folder.path, 'made', 'here', `${name}.demo-key`)).mode & 0o777).toBe(0o600);
    }
  });

  it('takes the next port for staging; `ready` checks both, and reports one that does not respond', async () => {
    using folder = temporaryFolder();
    // Some neighbours are taken by others: the first free pair is as good as any. No other test looks for a port here.
    for (;;) {
      const port = 30_000 + Math.floor(Math.random() * 2_000);
      const started = await startProgram(['--port', String(port), '--data', folder.path]).catch(String);
      if (typeof started === 'string') {
        expect(started).toContain('in use');
        continue;
      }
      await using program = started;
      expect(program.lines[0]).toContain(`:${port}/v1`);
      expect(program.lines[1]).toContain(`:${port + 1}/v1`);
      const ready = ['ready', '--port', String(port)];
      expect(await runCommand(ready)).toMatchObject({
        code: 0,
        stdout: 'production is ready\nstaging is ready\n',
      });
      await program.stop('SIGTERM');
      expect(await runCommand(ready)).toMatchObject({
        code: 1,
        stdout: '',
        stderr: `petstore: production is not ready: http://127.0.0.1:${port}/readyz cannot be reached (ECONNREFUSED)\n`,
      });
      return;
    }
  });

  it.each([
    [{}, true],
    [{ host: 'localhost' }, true],
    [{ host: '127.9.9.9' }, true],
    [{ host: '::1' }, true],
    [{ host: '0.0.0.0' }, false],
    [{ host: '::' }, false],
    [{ host: '127.example.com' }, false],
    [{ demo: false }, false],
    [{ host: '0.0.0.0', demo: true }, true],
    [{ 'base-url': 'https://pets.example' }, true],
    [{ 'base-url': 'https://pets.example', demo: false }, false],
    [{ 'base-url': 'https://pets.example', host: '0.0.0.0' }, false],
  ] as Array<[FlagValues, boolean]>)('with %j, opening a demonstration account is %s', (values, demo) => {
    expect(serveConfigFrom(values).demo).toBe(demo);
  });

  it.each([
    { host: '0.0.0.0', named: '127.0.0.1', more: [], status: 422 },
    { host: '::', named: '[::1]', more: ['--webhooks-private'], status: 201 },
  ])(
    'listening on $host, prints an address that can be opened, no key, and a warning about plain HTTP; with $more, a webhook with a private address is $status',
    async ({ host, named, more, status }) => {
      using folder = temporaryFolder();
      const location = ['--deployment', 'production', '--data', folder.path];
      const key = (await runCommand(['keys', 'create', ...location])).stdout.trim();
      const flags = ['--port', '0', '--host', host, '--log-addresses', ...more];
      await using program = await startProgram([...location, ...flags]);
      expect(program.lines[0]).toMatch(/^production {2}http:\/\/(.*):\d+\/v1$/);
      expect(program.lines[0]).toContain(`//${named}:`);
      await program.logged('plain HTTP');
      const headers = { 'content-type': 'application/json' };
      const body = '{"url":"http://127.0.0.1:9/hook"}';
      expect((await program.request('POST /v2/webhooks', { key, headers, body })).status).toBe(status);
      await program.logged('"path":"/v2/webhooks"');
      expect(program.output.stdout).toContain('"address":"127.0.0.1"');
      expect(program.output.stdout).not.toContain('pst_');
    },
  );

  it('with a public address, prints only that address', async () => {
    using folder = temporaryFolder();
    const args = ['--port', '0', '--data', folder.path, '--deployment', 'production'];
    const port = await freePort();
    await using program = await startProgram([
      ...args,
      '--base-url',
      'https://pets.example',
      '--port',
      String(port),
    ]);
    expect(program.lines[0]).toBe(`production  https://pets.example/v1  key ${program.key}`);
    expect(program.output.stdout).not.toMatch(/127\.0\.0\.1|plain HTTP/);
    for (const version of ['v1', 'v2']) {
      const { text } = await requesterFor(port)(`GET /${version}/openapi.json`);
      const url = `https://pets.example/${version}`;
      expect(JSON.parse(text).servers).toEqual([{ url, description: 'production' }]);
      expect(text).not.toMatch(/127\.0\.0\.1|localhost/);
    }
  });

  it('keeps its files private, even in a shared folder', async () => {
    using folder = temporaryFolder();
    chmodSync(folder.path, 0o755);
    writeFileSync(join(folder.path, 'production.db'), '', { mode: 0o644 });
    await using program = await startProgram(['--port', '0', '--data', folder.path]);
    expect((await program.request('DELETE /v1/store/orders/2', { key: program.key })).status).toBe(204);
    const files = readdirSync(folder.path);
    expect(files).toEqual(expect.arrayContaining(['production.db', 'production.db-wal', 'staging.db']));
    for (const file of files) {
      expect([file, (statSync(join(folder.path, file)).mode & 0o077).toString(8)]).toEqual([file, '0']);
    }
  });

  it('reads flags from the environment; a flag overrides its variable, and --demo PETSTORE_NO_DEMO', async () => {
    using folder = temporaryFolder();
    const env = {
      PETSTORE_PORT: '0',
      PETSTORE_DATA: join(folder.path, 'from-variable'),
      PETSTORE_DEPLOYMENT: 'staging',
      PETSTORE_RATE_LIMIT: '7',
      PETSTORE_HOST: '127.0.0.1',
      PETSTORE_LOG_LEVEL: 'silent',
      PETSTORE_METRICS: 'true',
      PETSTORE_INSPECTOR: 'false',
      PETSTORE_NO_DEMO: 'true',
    };
    const flags = ['--data', join(folder.path, 'from-flag'), '--demo'];
    await using program = await startProgram(flags, { env });
    // It has a key.
    expect(program.lines[0]).toMatch(line.staging);
    expect(program.lines.some((text) => text.startsWith('production'))).toBe(false);
    const { headers } = await program.request('GET /v1/pets', { key: program.key });
    expect(headers['ratelimit-policy']).toBe('"default";q=7;w=60');
    const forwarded = { headers: { 'x-forwarded-for': '203.0.113.7' } };
    expect((await program.request('GET /metrics', forwarded)).status).toBe(200);
    expect(statSync(join(folder.path, 'from-flag', 'staging.db')).isFile()).toBe(true);
    expect(() => statSync(join(folder.path, 'from-variable'))).toThrow();
    expect((await program.stop('SIGTERM')).stdout).toBe(`${program.lines.join('\n')}\n`);
    using left = new DatabaseSync(join(folder.path, 'from-flag', 'staging.db'));
    expect(left.prepare('SELECT * FROM requests').all()).toEqual([]);
  });

  it('PETSTORE_NO_DEMO is --no-demo', async () => {
    using folder = temporaryFolder();
    const args = ['--port', '0', '--deployment', 'staging', '--data', folder.path];
    await using program = await startProgram(args, { env: { PETSTORE_NO_DEMO: 'true' } });
    expect(program.lines.filter((text) => text.includes('  key '))).toEqual([]);
  });

  it('stores its data in ./data by default, private to its owner', async () => {
    using folder = temporaryFolder();
    mkdirSync(join(folder.path, 'here'));
    await using program = await startProgram(['--port', '0', '--deployment', 'production'], {
      cwd: join(folder.path, 'here'),
    });
    const key = readFileSync(join(folder.path, 'here', 'data', 'production.demo-key'), 'utf8').trim();
    expect(key).toBe(program.key);
    expect(statSync(join(folder.path, 'here', 'data')).mode & 0o077).toBe(0);
  });

  it('tolerates a closed output while it prints help', async () => {
    const { child, ended } = spawnProgram(['--help']);
    child.stdout.destroy();
    expect(await ended).toMatchObject({ code: 0, stderr: '' });
  });

  it('documents every flag, variable and command in --help', async () => {
    const help = async (...args: string[]) => {
      const { code, stdout, stderr } = await runCommand(args);
      expect([code, stderr]).toEqual([0, '']);
      return stdout;
    };
    const [all, bare, serve, keys, create, seed, check] = await Promise.all([
      help('--help'),
      help(),
      help('serve', '--help'),
      help('keys', '-h'),
      help('keys', 'create', '--help'),
      help('help', 'seed'),
      help('check', '--help'),
    ]);
    expect(bare).toBe(all);
    for (const command of [
      'serve',
      'keys',
      'seed',
      'export',
      'import',
      'check',
      'backup',
      'restore',
      'orders',
    ])
      expect(all).toMatch(new RegExp(`^  ${command} `, 'm'));
    expect(keys).toMatch(/^ {2}create .*\n.*\n? {2}list .*\n {2}revoke/ms);
    expect(keys).not.toContain('--port');
    const explained = {
      serve: serveFlags,
      create: [...locationFlags, 'name', 'scope', 'expires', 'key', 'store'],
      seed: ['orders'],
      check: ['repair'],
    };
    const texts: Record<string, string> = { serve, create, seed, check };
    for (const [command, names] of Object.entries(explained)) {
      for (const name of names) {
        expect(texts[command]).toContain(`--${name}`);
        // PETSTORE_KEY is what clients call with: it decides of no new key. Nothing is repaired because of a variable.
        if (name === 'key' || name === 'store' || name === 'repair') continue;
        expect(texts[command]?.replaceAll(/\s+/g, ' ')).toMatch(
          new RegExp(`\\[${variableOf(name)}( or …_FILE)?\\]`),
        );
      }
    }
    const reported = new Set(Object.values(explained).flat());
    expect(Object.keys(flags).filter((name) => !reported.has(name))).toEqual([]);
  });

  it('prints its version', async () => {
    expect(await runProgram(['--version'])).toEqual({ code: 0, stdout: '1.0.0\n', stderr: '' });
  });
});

describe.each(engines)('two programs on the same data on $name', (engine) => {
  it('see each other’s changes immediately', async () => {
    await using database = await engine.create();
    await using one = await startProgram([...database.flags, '--port', '0']);
    await using other = await startProgram([...database.flags, '--port', '0']);
    for (const id of [2, 4, 6, 8]) {
      const [first, second] = id % 4 === 0 ? [one, other] : [other, one];
      expect((await first.request(`DELETE /v1/store/orders/${id}`, { key: one.key })).status).toBe(204);
      for (const key of [one.key, other.key]) {
        const { text } = await second.request('GET /v1/store/orders', { key });
        expect(text).not.toContain(`{"id":${id},`);
        expect((await second.request(`DELETE /v1/store/orders/${id}`, { key })).status).toBe(404);
      }
    }
    const racing = [10, 12, 14, 16, 18, 20].map(async (id) => {
      const responses = await Promise.all(
        [one, other].map(({ request }) => request(`DELETE /v1/store/orders/${id}`, { key: one.key })),
      );
      return responses.map(({ status }) => status).sort();
    });
    for (const statuses of await Promise.all(racing)) expect(statuses).toEqual([204, 404]);
  });
});
