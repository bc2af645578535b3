import { execFile } from 'node:child_process';
import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { beforeAll, describe, expect, it } from 'vitest';
import { SUITES } from '../../server/test/support/effort.ts';
import { temporaryFolder } from '../../server/test/support/engines.ts';
import { runProgram } from '../../server/test/support/program.ts';

type Command = [program: string, ...args: string[]];

const root = fileURLToPath(new URL('../../', import.meta.url));
const example = (path: string) => join(root, 'examples', path);
const isAll = SUITES === 'all';
const cache = join(root, 'node_modules/.cache/suites');
const tool = (name: string) => join(cache, 'node_modules/.bin', name);
const python = isAll ? join(cache, 'python/bin/python') : 'python3';

const run = (...[program, ...args]: Command) => promisify(execFile)(program, args, { cwd: cache });
/** Why a suite is skipped. */
const missing = (...command: Command) =>
  run(...command).then(
    () => undefined,
    () => `${command.join(' ')} does not run here; SUITES=all installs what is needed`,
  );

beforeAll(async () => {
  mkdirSync(cache, { recursive: true });
  if (!isAll) return;
  const packages = ['newman@6', 'openapi-to-postmanv2@6', '@usebruno/cli@4', '@playwright/test@1'];
  await run('npm', 'install', '--no-audit', '--no-fund', '--ignore-scripts', '--prefix', cache, ...packages);
  await run('python3', '-m', 'venv', join(cache, 'python'));
  await run(python, '-m', 'pip', 'install', '-q', '-r', example('pytest-xdist/requirements.txt'));
});

interface Suite {
  readonly name: string;
  readonly needs: Command;
  readonly command: Command;
  /** Its output when everything has passed. */
  readonly prints: RegExp;
}

const suites: readonly Suite[] = [
  {
    name: 'pytest, with a store for each worker,',
    needs: [python, '-c', 'import pytest, xdist, requests'],
    command: [python, '-m', 'pytest', '-q', '-n', '4', '-p', 'no:cacheprovider', example('pytest-xdist')],
    prints: /^10 passed/m,
  },
  {
    name: 'RestAssured with JUnit 5',
    needs: isAll ? ['mvn', '--version'] : ['false'],
    command: ['mvn', '-B', '-f', example('java-rest-assured'), 'test'],
    prints: /Tests run: 5, Failures: 0, Errors: 0, Skipped: 0/,
  },
  {
    name: 'Playwright',
    needs: [tool('playwright'), '--version'],
    command: [tool('playwright'), 'test', '--config', join(cache, 'playwright')],
    prints: /^ *5 passed/m,
  },
  {
    name: 'Newman',
    needs: [tool('newman'), '--version'],
    command: [
      'sh',
      '-c',
      `"${tool('newman')}" run "${example('newman/petstore.postman_collection.json')}" \
        --env-var PETSTORE_URL=$PETSTORE_URL --env-var PETSTORE_KEY=$PETSTORE_KEY`,
    ],
    prints: /assertions\D+6\D+0 /,
  },
  {
    name: 'Bruno',
    needs: [tool('bru'), '--version'],
    command: ['sh', '-c', `cd "${example('bruno')}" && "${tool('bru')}" run -r`],
    prints: /6 \(6 Passed\)/,
  },
  {
    name: 'k6',
    needs: ['k6', 'version'],
    command: ['k6', 'run', example('k6/orders.js')],
    prints: /checks_succeeded\D+100\.00%/,
  },
];

it.for(suites)('$name passes next to its own service', async ({ needs, command, prints }, { skip }) => {
  const reason = await missing(...needs);
  if (reason) skip(reason);
  // Playwright resolves its own package next to the suite.
  cpSync(example('playwright'), join(cache, 'playwright'), { recursive: true });
  const { code, stdout, stderr } = await runProgram(['run', '--', ...command]);
  expect({ code, stderr, stdout }).toMatchObject({ code: 0, stdout: expect.stringMatching(prints) });
});

/** Requests that cannot succeed with an example, and why. */
const expectedFailures: Readonly<Record<string, string>> = {
  'GET /v2/store/events/stream': 'a stream has no end',
  'GET /v2/webhooks/{}': 'it needs a webhook that you created',
  'PATCH /v2/webhooks/{}': 'it needs a webhook that you created',
  'DELETE /v2/webhooks/{}': 'it needs a webhook that you created',
  'POST /v2/webhooks/{}/roll-secret': 'it needs a webhook that you created',
  'POST /v2/webhooks/{}/test': 'it needs a webhook that you created',
  'GET /v2/webhooks/{}/deliveries': 'it needs a webhook that you created',
  'POST /v2/webhooks/{}/deliveries/{}/redeliver': 'it needs a webhook that you created',
  'DELETE /v2/sandbox/stores/current': 'it needs the key of a temporary store',
};

/** Runs a script next to a service; it writes the responses it got to `FOLDER/responses.json`. */
async function responsesOf(script: string) {
  using folder = temporaryFolder();
  const file = join(folder.path, 'script.mjs');
  writeFileSync(file, `process.chdir(${JSON.stringify(folder.path)});\n${script}`);
  const { code, stderr } = await runProgram(['run', '--', process.execPath, file]);
  expect({ code, stderr }).toMatchObject({ code: 0 });
  const responses = JSON.parse(readFileSync(join(folder.path, 'responses.json'), 'utf8')) as Array<
    [string, number]
  >;
  return responses.map(([request, status]) => ({
    request: request.replaceAll(/wh_\w+|(?<=deliveries\/)\d+/g, '{}'),
    status,
  }));
}

const importers = { Postman: postman, Bruno: bruno };

describe.for(Object.entries(importers))('the documents as a collection of %s', ([name, importer]) => {
  it.for(['v1', 'v2'])('succeed with their own examples: %s', async (version, { skip }) => {
    const reason = await missing(tool(name === 'Postman' ? 'newman' : 'bru'), '--version');
    if (reason) skip(reason);
    const responses = await responsesOf(importer(version));
    const failed = responses.filter(({ status }) => !(status >= 200 && status < 300));
    expect(failed.filter(({ request }) => !(request in expectedFailures))).toEqual([]);
    if (version === 'v1') expect(responses.map(({ status }) => status)).toEqual([200, 204, 200, 200]);
    else expect(responses.length - failed.length).toBeGreaterThanOrEqual(20);
  });
});

const head = (version: string) => `
  import { execFileSync } from 'node:child_process';
  import { readFileSync, writeFileSync, rmSync, readdirSync } from 'node:fs';
  const { PETSTORE_URL, PETSTORE_KEY } = process.env;
  const base = PETSTORE_URL.replace('/v1', '/${version}');
  // The webhook of the examples receives events.
  const withinThisMachine = (document) => document.replaceAll('https://example.com/', 'http://127.0.0.1:9/');
  const run = (program, ...args) => {
    try { return execFileSync(program, args, { encoding: 'utf8', stdio: 'pipe' }); } catch (error) { return String(error.stdout); }
  };
`;

/** A cursor comes from the previous page: users of an imported collection disable it. */
function postman(version: string): string {
  return `${head(version)}
    writeFileSync('document.json', withinThisMachine(await (await fetch(base + '/openapi.json')).text()));
    const options = 'folderStrategy=Tags,parametersResolution=Example';
    run(${JSON.stringify(tool('openapi2postmanv2'))}, '-s', 'document.json', '-o', 'collection.json', '-O', options);
    const collection = JSON.parse(readFileSync('collection.json', 'utf8'), (_, value) =>
      value?.key === 'cursor' ? { ...value, disabled: true } : value);
    writeFileSync('collection.json', JSON.stringify(collection));
    run(${JSON.stringify(tool('newman'))}, 'run', 'collection.json', '--global-var', 'baseUrl=' + base, '--global-var',
      'bearerToken=' + PETSTORE_KEY, '--timeout-request', '3000', '--reporters', 'json', '--reporter-json-export', 'run.json');
    const { executions } = JSON.parse(readFileSync('run.json', 'utf8')).run;
    writeFileSync('responses.json', JSON.stringify(executions.map(({ request, response }) => [
      request.method + ' /' + request.url.path.join('/'), response?.code ?? 0])));`;
}

/** Bruno waits indefinitely for the end of a stream. */
function bruno(version: string): string {
  return `${head(version)}
    writeFileSync('document.yaml', withinThisMachine(await (await fetch(base + '/openapi.yaml')).text()));
    run(${JSON.stringify(tool('bru'))}, 'import', 'openapi', '-s', 'document.yaml', '-o', '.', '-n', 'own', '--collection-format', 'bru');
    process.chdir('own');
    for (const file of readdirSync('.', { recursive: true }))
      if (file.endsWith('.bru') && /url: .*events\\/stream/.test(readFileSync(file, 'utf8'))) rmSync(file);
    run(${JSON.stringify(tool('bru'))}, 'run', '-r', '--env-var', 'baseUrl=' + base, '--env-var', 'token=' + PETSTORE_KEY,
      '--env-var', 'bearerToken=' + PETSTORE_KEY, '--output', '../run.json');
    const [{ results }] = JSON.parse(readFileSync('../run.json', 'utf8'));
    writeFileSync('../responses.json', JSON.stringify(results.map(({ request, response }) => [
      request.method + ' ' + new URL(request.url).pathname, response.status])));`;
}
