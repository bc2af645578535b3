import { execFile, spawnSync } from 'node:child_process';
import { globSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { launchBrowser } from '../../console/test/support/browser.ts';
import { faultNames } from '../../server/src/sandbox/fault-kinds.ts';
import { isLanguageTested } from '../../server/test/support/effort.ts';
import { sqlite, temporaryFolder } from '../../server/test/support/engines.ts';
import { startProgram } from '../../server/test/support/program.ts';
import { useService } from '../../server/test/support/service.ts';
import { clientOf } from '../../server/test/support/v2.ts';

const run = promisify(execFile);
const root = fileURLToPath(new URL('../../', import.meta.url));
const example = (path: string) => join(root, 'examples', path);
const MAX = '9223372036854775807';

/** Why an example is skipped: the program it needs is not on this machine. */
function missing(program: string, ...args: string[]): string | undefined {
  const { error, status } = spawnSync(program, args, { stdio: 'ignore' });
  return error || status !== 0 ? `${[program, ...args].join(' ')} does not run here` : undefined;
}

/** Short runs: Java's optimizing compiler is not worth its time. */
const briefly = { JAVA_TOOL_OPTIONS: '-XX:TieredStopAtLevel=1 -XX:+UseSerialGC' };

/** Each language has two programs: one for v1, and one that also uses v2. */
const languages: ReadonlyArray<{ name: string; needs: [string, ...string[]]; v1: string[]; v2: string[] }> = [
  {
    name: 'curl',
    needs: ['curl', '--version'],
    v1: ['bash', example('curl/v1.sh')],
    v2: ['bash', example('curl/orders.sh')],
  },
  {
    name: 'TypeScript',
    needs: [process.execPath, '-v'],
    v1: [process.execPath, example('typescript/v1.ts')],
    v2: [process.execPath, example('typescript/orders.ts')],
  },
  {
    name: 'Python',
    needs: ['python3', '--version'],
    v1: ['python3', example('python/v1.py')],
    v2: ['python3', example('python/orders.py')],
  },
  {
    name: 'Java',
    needs: ['java', '--version'],
    v1: ['java', example('java-http-client/V1.java')],
    v2: ['java', example('java-http-client/Orders.java')],
  },
  {
    name: 'Go',
    needs: ['go', 'version'],
    v1: ['go', 'run', example('go/v1/main.go')],
    v2: ['go', 'run', example('go/main.go')],
  },
];

const tried = languages.filter(({ name }) => isLanguageTested(name));

/** The lines that a program prints with these variables. */
async function outputOf([file = '', ...args]: readonly string[], store: Record<string, string>) {
  const env = { ...process.env, ...briefly, ...store, GO111MODULE: 'off' };
  return (await run(file, args, { env })).stdout.trim().split('\n');
}

describe('the examples', () => {
  const service = useService(sqlite, { deployment: 'staging' });
  /** A store with the IDs that clients get wrong. */
  const hardStore = async () => {
    const store = await service().openStore();
    await clientOf(service(), store)('POST /v2/sandbox/reset', { body: { dataSet: 'int64' } });
    return store;
  };

  it.for(tried)('$name lists and cancels with v1 only, exact to 64 bits', async ({ v1, needs }, { skip }) => {
    const reason = missing(...needs);
    if (reason) skip(reason);
    const { key } = await hardStore();
    const store = { PETSTORE_URL: `${service().origin}/v1`, PETSTORE_KEY: key };
    expect(await outputOf(v1, store)).toEqual([
      'connected: 9 pets',
      `9 orders, last id ${MAX}`,
      `cancelled order ${MAX}`,
      'order 9223372036854775806 cannot be cancelled: 409 order_already_shipped',
    ]);
  });

  it.for(tried)('$name reads, places and cancels, exact to 64 bits', async ({ v2, needs }, { skip }) => {
    const reason = missing(...needs);
    if (reason) skip(reason);
    const { key } = await hardStore();
    const store = { PETSTORE_URL: `${service().origin}/v1`, PETSTORE_KEY: key };
    expect(await outputOf(v2, store)).toEqual([
      `9 orders, last id ${MAX}`,
      `placed order 1001 for pet ${MAX}`,
      'cancelled order 1001',
      'cancelled again: 409 order_already_cancelled',
    ]);
  });

  it('request only faults that exist', () => {
    const texts = globSync(example('**/*.{js,py,java,go,sh,ts}')).map((file) => readFileSync(file, 'utf8'));
    const requested = texts.flatMap((text) =>
      Array.from(text.matchAll(/\bfault=([\w-]+)/g), ([, name]) => name),
    );
    expect(requested).toContain('lost-answer');
    expect(faultNames).toEqual(expect.arrayContaining(requested));
  });

  it('curl needs no GNU-only options', async () => {
    using folder = temporaryFolder();
    for (const name of ['sed', 'tac'])
      writeFileSync(join(folder.path, name), '#!/bin/sh\nexit 127\n', { mode: 0o755 });
    writeFileSync(join(folder.path, 'wc'), '#!/bin/sh\nprintf "%8d\\n" "$(/usr/bin/wc "$@")"\n', {
      mode: 0o755,
    });
    const { key } = await hardStore();
    const PATH = `${folder.path}:${process.env.PATH}`;
    const store = { PETSTORE_URL: `${service().origin}/v1`, PETSTORE_KEY: key, PATH };
    expect((await outputOf(['bash', example('curl/orders.sh')], store))[0]).toBe(`9 orders, last id ${MAX}`);
    expect(await outputOf(['bash', example('curl/v1.sh')], store)).toEqual([
      'connected: 9 pets',
      `9 orders, last id ${MAX}`,
      `cancelled order ${MAX}`,
      'order 9223372036854775806 cannot be cancelled: 409 order_already_shipped',
    ]);
  });

  it('run with the values a start prints', async () => {
    using folder = temporaryFolder();
    await using program = await startProgram(['--port', '0', '--data', folder.path]);
    const [, url = '', key = ''] = /^production +(\S+) +key (\S+)$/.exec(program.lines[0] ?? '') ?? [];
    const store = { PETSTORE_URL: url, PETSTORE_KEY: key };
    const [v1, v2] = [
      outputOf(['bash', example('curl/v1.sh')], store),
      outputOf(['bash', example('curl/orders.sh')], store),
    ];
    expect((await v1)[0]).toBe('connected: 12 pets');
    expect((await v2).at(-1)).toBe('cancelled again: 409 order_already_cancelled');
  });

  it('the page shows every order with its exact ID and explains rejections', async () => {
    const { key } = await hardStore();
    await using browser = await launchBrowser();
    const page = await browser.newPage();
    await page.goto(pathToFileURL(example('browser/index.html')).href);
    await page.getByLabel('Base URL').fill(`${service().origin}/v1`);
    await page.getByLabel('Key').fill(key);
    await page.getByRole('button').click();
    await page.getByText('9 orders').waitFor();
    expect(await page.locator('tbody tr:last-child td:first-child').textContent()).toBe(MAX);
    expect(await page.getByText('9007199254740993').count()).toBeGreaterThan(0);
    await page.getByLabel('Key').fill('pst_test_nonsense');
    await page.getByRole('button').click();
    await page.getByText('401 invalid_api_key').waitFor();
  });
});
