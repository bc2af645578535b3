import { once } from 'node:events';
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { serveConfigFrom } from '../../src/config/serve-config.ts';
import { runCommand } from '../support/command.ts';
import { temporaryFolder } from '../support/engines.ts';
import { freePort } from '../support/free-port.ts';
import { requesterFor, runProgram, spawnProgram, startProgram } from '../support/program.ts';

/** Starts the program with `--json`, and waits for its one line. */
async function startForPrograms(args: readonly string[]) {
  const { child, ended, output } = spawnProgram(['serve', '--json', '--port', '0', ...args]);
  while (!output.stdout.includes('\n')) await Promise.race([once(child.stdout, 'data'), ended]);
  return {
    child,
    output,
    addresses: JSON.parse(output.stdout),
    async [Symbol.asyncDispose]() {
      child.kill('SIGTERM');
      await ended;
    },
  };
}

const portOf = (address: string) => Number(new URL(address).port);

describe('--port', () => {
  it('is the port of the single deployment, for serve and for ready', async () => {
    using folder = temporaryFolder();
    const flags = ['--deployment', 'staging', '--port', String(await freePort())];
    await using program = await startProgram([...flags, '--data', folder.path]);
    expect(String(program.port)).toBe(flags.at(-1));
    expect(await runCommand(['ready', ...flags])).toMatchObject({ code: 0, stdout: 'staging is ready\n' });
  });

  it.each([
    [{}, { production: 8080, staging: 8081 }],
    [{ deployment: 'staging' }, { staging: 8081 }],
    [{ port: '0', deployment: 'staging' }, { staging: 0 }],
    [{ port: '1', deployment: 'staging' }, { staging: 1 }],
    [{ port: '65535', deployment: 'staging' }, { staging: 65535 }],
    [{ port: '65534' }, { production: 65534, staging: 65535 }],
  ])('with %j, the deployments listen at %j', (values, ports) => {
    expect(serveConfigFrom(values).ports).toMatchObject(ports);
  });

  it('leaves a port for both', () => {
    expect(() => serveConfigFrom({ port: '65535' })).toThrow('--port');
  });
});

describe('--json', () => {
  it.each([[[]], [['--deployment', 'staging', '--workers', '2']]])(
    'with %j, prints addresses and working keys as one line, alone on standard output; the log goes to standard error; --env-file has the same, readable only by its owner',
    async (args) => {
      using folder = temporaryFolder();
      const file = join(folder.path, 'petstore.env');
      writeFileSync(file, 'PETSTORE_KEY=of an earlier run\n', { mode: 0o644 });
      const data = join(folder.path, 'data');
      await using program = await startForPrograms([...args, '--data', data, '--env-file', file]);
      const { console: consoleAt, docs, ...deployments } = program.addresses;
      expect(Object.keys(deployments)).toEqual(args.length === 0 ? ['production', 'staging'] : ['staging']);
      const written = Object.entries<Record<string, string>>(deployments).flatMap(
        ([name, { url, v2Url, key }]) => {
          const suffix = name === 'staging' && args.length === 0 ? '_STAGING' : '';
          return [
            `PETSTORE_URL${suffix}=${url}`,
            `PETSTORE_V2_URL${suffix}=${v2Url}`,
            `PETSTORE_KEY${suffix}=${key}`,
          ];
        },
      );
      expect(readFileSync(file, 'utf8')).toBe([...written, ''].join('\n'));
      expect(statSync(file).mode & 0o777).toBe(0o600);
      expect(readdirSync(folder.path).sort()).toEqual(['data', 'petstore.env']);
      for (const { url, v2Url, key } of Object.values<Record<string, string>>(deployments)) {
        expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/v1$/);
        expect(v2Url).toBe(url?.replace('/v1', '/v2'));
        const response = await requesterFor(portOf(String(url)))('GET /v1/pets', { key: String(key) });
        expect(response.status).toBe(200);
      }
      const { origin } = new URL(Object.values<{ url: string }>(deployments)[0]?.url ?? '');
      expect({ consoleAt, docs }).toEqual({ consoleAt: `${origin}/console`, docs: `${origin}/docs` });
      while (!program.output.stderr.includes('"path":"/v1/pets"')) await once(program.child.stderr, 'data');
      expect(program.output.stdout.trimEnd().split('\n')).toHaveLength(1);
    },
  );
});

describe('--env-file', () => {
  it('from an earlier run is removed if the service cannot start', async () => {
    using folder = temporaryFolder();
    const file = join(folder.path, 'petstore.env');
    writeFileSync(file, 'PETSTORE_KEY=of an earlier run\n');
    writeFileSync(join(folder.path, 'production.db'), 'this is no database'.repeat(100));
    const ended = await runProgram(['serve', '--port', '0', '--data', folder.path, '--env-file', file]);
    expect(ended.code).toBe(1);
    expect(readdirSync(folder.path)).not.toContain('petstore.env');
  });

  it.each(['nowhere/petstore.env', '.'])('that cannot be written (%s) exits with 2', async (name) => {
    using folder = temporaryFolder();
    const file = join(folder.path, name);
    const ended = await runProgram(['serve', '--port', '0', '--data', folder.path, '--env-file', file]);
    expect(ended).toMatchObject({ code: 2, stdout: '' });
    expect(ended.stderr).toContain(file);
  });
});
