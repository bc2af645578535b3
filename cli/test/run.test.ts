import { once } from 'node:events';
import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, describe, expect, it } from 'vitest';
import { environmentWith } from '../../checks/src/engine/command-environment.ts';
import { runCommand } from '../../server/test/support/command.ts';
import { temporaryFolder } from '../../server/test/support/engines.ts';
import { freePort } from '../../server/test/support/free-port.ts';
import { main, runProgram, spawnProgram } from '../../server/test/support/program.ts';
import { slowIt } from '../../server/test/support/slow-it.ts';

const folder = temporaryFolder();
const files = temporaryFolder();
afterAll(() => {
  folder[Symbol.dispose]();
  files[Symbol.dispose]();
});

/** What the tests let it run is written for Node, which is there. */
const script = (text: string) => ['--', process.execPath, '--input-type=module', '-e', text];
/** Prints the raw response of a v1 path. */
const get = (path: string) => `
  const { PETSTORE_URL, PETSTORE_V2_URL, PETSTORE_KEY } = process.env;
  const headers = { authorization: 'Bearer ' + PETSTORE_KEY };
  console.log(await (await fetch(PETSTORE_URL + '${path}', { headers })).text());`;

/** Its data is in a folder of this one. */
function start(args: readonly string[]) {
  const spawned = spawnProgram(['run', ...args], { env: { TMPDIR: folder.path } });
  return {
    ...spawned,
    async printed(text: string) {
      while (!spawned.output.stdout.includes(text))
        await Promise.race([once(spawned.child.stdout, 'data'), spawned.ended]);
    },
  };
}

/** A process that is not ours has ended when it cannot be signalled, or waits to be buried. */
async function gone(pid: number): Promise<void> {
  for (;;) {
    try {
      process.kill(pid, 0);
    } catch {
      return;
    }
    await pause(10);
  }
}
const noData = async () => {
  while (readdirSync(folder.path).some((name) => name.startsWith('petstore-'))) await pause(10);
};

/** Prints the address of the service and its own process id, and keeps running. */
const staying = `
  console.log(JSON.stringify({ pid: process.pid, url: process.env.PETSTORE_URL }));
  setInterval(() => {}, 1000);`;

describe('petstore run', () => {
  it('passes the service address to the command, forwards its output and exit code, and cleans up', async () => {
    const { ended } = start(
      script(`${get('/store/orders')} console.error(PETSTORE_V2_URL); process.exit(7)`),
    );
    const { code, stdout, stderr } = await ended;
    expect(code).toBe(7);
    expect(JSON.parse(stdout)).toHaveLength(40);
    expect(stderr).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/v2\n$/);
    await expect(fetch(stderr.trim())).rejects.toThrow();
    expect(readdirSync(folder.path)).toEqual([]);
  });

  it('gives the command only its own service’s key, and bypasses any proxy', async () => {
    const file = join(files.path, 'key');
    writeFileSync(file, 'pst_test_of_another_store');
    const env = { TMPDIR: folder.path, PETSTORE_KEY_FILE: file };
    const list = [process.execPath, '--', main, 'orders', 'list', '--json'];
    const { code, stdout } = await runProgram(['run', '--', ...list], { env });
    expect([code, stdout.match(/"id"/g)?.length]).toEqual([0, 40]);
    for (const [given, seen] of [
      [{ no_proxy: 'a.example' }, 'a.example,127.0.0.1'],
      [{ NO_PROXY: '*' }, '*'],
      [{}, '127.0.0.1'],
    ] as const)
      expect(environmentWith({}, given)).toEqual({ NO_PROXY: seen, no_proxy: seen });
  });

  it('fills the store according to its flags; production gets only its fixed data', async () => {
    const contents = ['--data-set', 'large', '--orders', '30', '--seed', '7', '--today', '2020-02-01'];
    const filled = await start([...contents, ...script(get('/../v2/store/orders?limit=100'))]).ended;
    const { data } = JSON.parse(filled.stdout) as { data: { placedAt: string }[] };
    expect([data.length, data.every(({ placedAt }) => placedAt < '2020-02-02')]).toEqual([30, true]);
    const production = start([
      '--deployment',
      'production',
      ...script(`${get('/pets')} console.log(PETSTORE_KEY)`),
    ]);
    expect((await production.ended).stdout).toMatch(/\npst_live_\w+\n$/);
  });

  it('fills the store with custom data exactly; invalid data exits with 2 and the location', async () => {
    const file = join(files.path, 'own.json');
    const pet = '{"id":9007199254740993,"name":"Ada","category":"dog","stock":3}';
    // Windows begins a text with a mark of its encoding.
    writeFileSync(file, `\uFEFF{"pets":[${pet}],"orders":[{"id":7,"petId":9007199254740993,"quantity":2}]}`);
    const { stdout } = await start(['--data', file, ...script(get('/store/orders'))]).ended;
    expect(stdout).toMatch(/^\[\{"id":7,"petId":9007199254740993,"quantity":2,[^{]*\}\]\n$/);

    writeFileSync(file, `{"pets":[${pet}],"orders":[{"petId":1,"quantity":2}]}`);
    const rejected = await start(['--data', file, '--', 'echo', 'never']).ended;
    expect(rejected).toMatchObject({
      code: 2,
      stdout: '',
      stderr: expect.stringContaining('orders[0].petId'),
    });
  });

  it('forwards SIGTERM to a command that handles it, and exits with its status', async () => {
    const own = `process.on('SIGTERM', () => { console.log('told'); process.exit(5); }); ${staying}`;
    const { child, ended, printed } = start(script(own));
    await printed('\n');
    child.kill('SIGTERM');
    expect(await ended).toMatchObject({ code: 5, stdout: expect.stringMatching(/told\n$/) });
  });

  it('exits with 130 if SIGINT stops the command', async () => {
    const { child, ended, printed } = start(script(staying));
    await printed('\n');
    child.kill('SIGINT');
    expect((await ended).code).toBe(130);
  });

  it.skipIf(process.platform === 'win32')(
    'stops the service, the command and its descendants when killed',
    async () => {
      const nested = `
        import { spawn } from 'node:child_process';
        const { pid } = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { stdio: 'ignore' });
        console.log(JSON.stringify({ nested: pid })); ${staying}`;
      const { child, ended, output, printed } = start(script(nested));
      await printed('"url"');
      const [{ nested: inner }, { pid, url }] = output.stdout
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line));
      child.kill('SIGKILL');
      await Promise.all([gone(pid), gone(inner), noData(), ended]);
      await expect(fetch(url)).rejects.toThrow();
    },
  );

  slowIt('exits with 2 and a one-line reason if the store cannot be filled', async () => {
    const env = { NODE_USE_ENV_PROXY: '1', http_proxy: `http://127.0.0.1:${await freePort()}`, no_proxy: '' };
    const { code, stdout, stderr } = await runProgram(['run', '--seed', '7', '--', 'echo', 'never'], { env });
    expect({ code, stdout, stderr }).toEqual({
      code: 2,
      stdout: '',
      stderr: expect.stringMatching(/^petstore: could not load the data: The connection failed: .*\n$/),
    });
  });

  it('exits with 127 and a message if the command cannot start', async () => {
    const { code, stderr } = await runProgram(['run', '--', 'no-such-program', '--flag']);
    expect({ code, stderr }).toEqual({
      code: 127,
      stderr: 'petstore: cannot run no-such-program: spawn no-such-program ENOENT\n',
    });
  });

  writeFileSync(join(files.path, 'no.json'), '{');
  it.each([
    ['no command', [], 'requires a command'],
    ['an unknown deployment', ['--deployment', 'test', '--', 'true'], 'production or staging'],
    [
      'a data set on production',
      ['--deployment', 'production', '--data-set', 'int64', '--', 'true'],
      'staging',
    ],
    ['a day on production', ['--deployment', 'production', '--today', '2020-02-01', '--', 'true'], 'staging'],
    ['a seed on production', ['--deployment', 'production', '--seed', '7', '--', 'true'], 'staging'],
    ['a seed that is no number', ['--seed', 'x', '--', 'true'], '--seed'],
    ['data and a seed', ['--data', 'a.json', '--seed', '7', '--', 'true'], '--data cannot be combined'],
    [
      'two kinds of data',
      ['--data', 'a.json', '--data-set', 'int64', '--', 'true'],
      '--data cannot be combined',
    ],
    ['a file that is not there', ['--data', 'nowhere.json', '--', 'true'], 'nowhere.json'],
    ['a file that is no JSON', ['--data', join(files.path, 'no.json'), '--', 'true'], 'no.json'],
    ['a mistyped flag', ['--dataset', 'int64', '--', 'true'], '--data-set'],
  ])('with %s exits with 2 and the reason', async (_, args, reason) => {
    const { code, stdout, stderr } = await runCommand(['run', ...args]);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toContain(reason);
  });

  it('exits with 2 and the reason if the service rejects the data', async () => {
    const ended = await runProgram(['run', '--orders', '9', '--', 'true']);
    expect(ended).toMatchObject({ code: 2, stdout: '', stderr: expect.stringContaining('orders') });
  });
});
