import { execFile, spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { promisify, stripVTControlCharacters } from 'node:util';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { launchBrowser } from '../../console/test/support/browser.ts';
import { sqlite, temporaryFolder } from '../../server/test/support/engines.ts';
import { useService } from '../../server/test/support/service.ts';
import { clientOf } from '../../server/test/v2/support.ts';

const run = promisify(execFile);
const root = fileURLToPath(new URL('../../', import.meta.url));
const example = (path: string) => join(root, 'examples', path);
const MAX = '9223372036854775807';

/** The line that says why an example is skipped: what it needs is not on this machine. */
function missing(program: string, ...args: string[]): string | undefined {
  const { error, status } = spawnSync(program, args, { stdio: 'ignore' });
  return error || status !== 0 ? `${[program, ...args].join(' ')} does not run here` : undefined;
}

/** Maven fetches libraries from elsewhere; a test takes what is there, and is skipped where something is not. */
const mavenIsOffline = ['-o', '-q', '-B', '-f', example('java-rest-assured')];

/** They run once and briefly: what Java would compile more thoroughly is never used. */
const briefly = { JAVA_TOOL_OPTIONS: '-XX:TieredStopAtLevel=1 -XX:+UseSerialGC' };

const programs: ReadonlyArray<{ name: string; command: string[]; needs: string[] }> = [
  { name: 'curl', command: ['bash', example('curl/orders.sh')], needs: ['curl', '--version'] },
  {
    name: 'TypeScript',
    command: [process.execPath, example('typescript/orders.ts')],
    needs: [process.execPath, '-v'],
  },
  { name: 'Python', command: ['python3', example('python/orders.py')], needs: ['python3', '--version'] },
  { name: 'Java', command: ['java', example('java-http-client/Orders.java')], needs: ['java', '--version'] },
  {
    name: 'Java with RestAssured',
    command: ['mvn', ...mavenIsOffline, 'test'],
    needs: ['mvn', '--version'],
  },
  { name: 'Go', command: ['go', 'run', example('go/main.go')], needs: ['go', 'version'] },
];

describe('the examples', () => {
  const service = useService(sqlite, { deployment: 'staging' });
  /** A store with the ids that clients get wrong. */
  const hardStore = async () => {
    const store = await service().openStore();
    await clientOf(service(), store)('POST /v2/sandbox/reset', { body: { dataSet: 'int64' } });
    return store;
  };

  it.for(programs)(
    '$name reads, places and cancels, exact to 64 bits',
    async ({ command, needs }, { skip }) => {
      const reason = missing(...(needs as [string, ...string[]]));
      if (reason) skip(reason);
      const [program = '', ...args] = command;
      const { key } = await hardStore();
      const store = { PETSTORE_URL: service().origin, PETSTORE_KEY: key };
      const env = { ...process.env, ...briefly, ...store, GO111MODULE: 'off' };
      const { stdout } = await run(program, args, { env }).catch((error) => {
        if (/offline/.test(error.stdout)) skip('Maven has not fetched its libraries on this machine');
        throw error;
      });
      expect(stripVTControlCharacters(stdout).match(/^(orders|placed|cancelled).*$/gm)).toEqual([
        `orders 9, the last is ${MAX}`,
        `placed order 1001 of pet ${MAX}`,
        'cancelled order 1001',
        'cancelled again: 409 order_already_cancelled',
      ]);
    },
  );

  it('the page shows every order by its exact id, and says what is refused', async () => {
    const { key } = await hardStore();
    await using browser = await launchBrowser();
    const page = await browser.newPage();
    await page.goto(pathToFileURL(example('browser/index.html')).href);
    await page.getByLabel('Address').fill(service().origin);
    await page.getByLabel('Key').fill(key);
    await page.getByRole('button').click();
    await page.getByText('9 orders').waitFor();
    expect(await page.locator('tbody tr:last-child td:first-child').textContent()).toBe(MAX);
    expect(await page.getByText('9007199254740993').count()).toBeGreaterThan(0);
    await page.getByLabel('Key').fill('pst_test_nonsense');
    await page.getByRole('button').click();
    await page.getByText('401 invalid_api_key').waitFor();
  });

  it('the workflow starts a store, runs a test against it, and stops it', async ({ skip }) => {
    const reason = missing('python3', '--version');
    if (reason) skip(reason);
    using folder = temporaryFolder();
    const { jobs } = parse(readFileSync(example('github-actions/petstore.yml'), 'utf8'));
    const steps = jobs.test.steps as Array<{ name?: string; run?: string }>;
    const variables = join(folder.path, 'env');
    writeFileSync(variables, '');
    const env: Record<string, string | undefined> = {
      ...process.env,
      PATH: `${join(root, 'node_modules/.bin')}:${process.env.PATH}`,
      RUNNER_TEMP: folder.path,
      GITHUB_ENV: variables,
      PETSTORE_PORT: '0',
    };
    let output = '';
    for (const { name, run: script } of steps) {
      // What it installs is installed.
      if (script === undefined || name === 'Install the store') continue;
      const given = readFileSync(variables, 'utf8').matchAll(/^(\w+)=(.*)$/gm);
      for (const [, variable = '', value] of given) env[variable] = value;
      output += (await run('bash', ['-e', '-c', script], { cwd: root, env })).stdout;
    }
    expect(output).toMatch(/^orders 40, the last is 40\nplaced order 41 of pet \d+\ncancelled order 41\n/);
    const answers = () =>
      fetch(`${env.PETSTORE_URL}/healthz`).then(
        () => true,
        () => false,
      );
    while (await answers()) await new Promise((resolve) => setTimeout(resolve, 50));
  });
});
