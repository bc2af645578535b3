import { execFile } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { temporaryFolder } from '../../server/test/support/engines.ts';

const run = promisify(execFile);
const root = fileURLToPath(new URL('../../', import.meta.url));
const read = (path: string) => parse(readFileSync(join(root, path), 'utf8'));

type Variables = Record<string, string | undefined>;
/** The environment without the tester's own variables. */
const cleanEnvironment = Object.fromEntries(
  Object.entries(process.env).filter(([name]) => !name.startsWith('PETSTORE_')),
);

const bash = (script: string, cwd: string, env: Variables) => run('bash', ['-e', '-c', script], { cwd, env });
const variablesIn = (file: string): Variables =>
  Object.fromEntries(
    readFileSync(file, 'utf8')
      .matchAll(/^([\w-]+)=(.*)$/gm)
      .map(([, name, value]) => [name, value]),
  );

async function stop(pid: string | undefined): Promise<void> {
  process.kill(Number(pid), 'SIGTERM');
  for (;;) {
    try {
      process.kill(Number(pid), 0);
    } catch {
      return;
    }
    await pause(10);
  }
}

/** Emulates a GitHub runner, enough for a composite action and shell steps, in a separate repository. */
function runnerIn(folder: string) {
  const [env, output] = [join(folder, 'env'), join(folder, 'output')];
  for (const file of [env, output]) writeFileSync(file, '');
  const values = (text: string, known: Variables) =>
    text.replaceAll(/\$\{\{ *(\S+) *\}\}/g, (_, name: string) => known[name] ?? '');
  const step = async ({ run: script, env: given = {} }: Step, known: Variables) => {
    const own = Object.entries(given).map(([name, value]) => [name, values(String(value), known)]);
    return bash(script ?? '', folder, {
      ...cleanEnvironment,
      ...variablesIn(env),
      ...Object.fromEntries(own),
      RUNNER_TEMP: folder,
      GITHUB_ENV: env,
      GITHUB_OUTPUT: output,
      GITHUB_ACTION_PATH: root,
    });
  };
  return { step, variables: () => variablesIn(env), outputs: () => variablesIn(output) };
}

interface Step {
  readonly name?: string;
  readonly uses?: string;
  readonly run?: string;
  readonly env?: Variables;
}

describe('in CI', () => {
  const action = read('action.yml');
  const steps = (action.runs.steps as Step[]).filter(({ run }) => run !== undefined);
  const defaults = Object.fromEntries(
    Object.entries<{ default: string }>(action.inputs).map(([name, input]) => [
      `inputs.${name}`,
      input.default,
    ]),
  );

  /** Runs the steps of the action except for the cache. */
  async function act(runner: ReturnType<typeof runnerIn>, inputs: Variables) {
    for (const one of steps)
      await runner.step(one, { ...inputs, 'runner.temp': '/nonexistent', 'runner.os': 'Linux' });
  }

  it('the workflow starts a store with the action in a separate repository and tests against it', async () => {
    using folder = temporaryFolder();
    const runner = runnerIn(folder.path);
    const { steps } = read('examples/github-actions/petstore.yml').jobs.test as { steps: Step[] };
    const printed: string[] = [];
    for (const one of steps) {
      if (one.uses === 'OWNER/petstore@COMMIT') await act(runner, defaults);
      if (one.run === undefined) continue;
      const outputs = Object.entries(runner.outputs()).map(([name, value]) => [
        `steps.store.outputs.${name}`,
        value,
      ]);
      printed.push((await runner.step(one, Object.fromEntries(outputs))).stdout);
    }
    const { PETSTORE_URL, PETSTORE_V2_URL, PETSTORE_KEY, PETSTORE_PID } = runner.variables();
    expect(printed.map((text) => JSON.parse(text).length)).toEqual([12, 40]);
    expect(runner.outputs()).toMatchObject({
      'base-url': PETSTORE_URL,
      'v2-url': PETSTORE_V2_URL,
      key: PETSTORE_KEY,
    });
    expect(Object.keys(runner.outputs())).toEqual(expect.arrayContaining(Object.keys(action.outputs)));
    await stop(PETSTORE_PID);
  });

  it.for(['test-key', "s3cret!key$1'<<`"])('the key is the configured one: %s', async (key) => {
    using folder = temporaryFolder();
    const runner = runnerIn(folder.path);
    await act(runner, { ...defaults, 'inputs.staging-key': key });
    const { PETSTORE_URL, PETSTORE_KEY, PETSTORE_PID } = runner.variables();
    expect([runner.outputs().key, PETSTORE_KEY]).toEqual([key, key]);
    const response = await fetch(`${PETSTORE_URL}/pets`, { headers: { authorization: `Bearer ${key}` } });
    expect(response.status).toBe(200);
    await stop(PETSTORE_PID);
  });

  it.for([
    { 'inputs.data-set': 'int64' },
    { 'inputs.data': 'store.json' },
    { 'inputs.data-set': 'default', 'inputs.today': '2026-01-01' },
  ])('the data are the configured ones: %o', async (inputs) => {
    using folder = temporaryFolder();
    const pets = [{ name: 'Only', category: 'dog', stock: 1 }];
    writeFileSync(join(folder.path, 'store.json'), JSON.stringify({ pets, orders: [] }));
    const runner = runnerIn(folder.path);
    await act(runner, { ...defaults, ...inputs });
    const { PETSTORE_URL, PETSTORE_KEY, PETSTORE_PID } = runner.variables();
    const headers = { authorization: `Bearer ${PETSTORE_KEY}` };
    const read = async (path: string) => (await fetch(`${PETSTORE_URL}${path}`, { headers })).text();
    if (inputs['inputs.data']) expect(JSON.parse(await read('/pets'))).toMatchObject([{ name: 'Only' }]);
    else if (inputs['inputs.today'])
      expect(await read('/store/orders')).toContain('"shipDate":"2026-01-22T10:00:00.000Z"');
    else expect(await read('/store/orders')).toContain('"id":9223372036854775807,');
    await stop(PETSTORE_PID);
  });

  it('data cannot be set in production, and the service is stopped', async () => {
    using folder = temporaryFolder();
    const inputs = { ...defaults, 'inputs.deployment': 'production', 'inputs.data-set': 'empty' };
    const failed = act(runnerIn(folder.path), inputs);
    await expect(failed).rejects.toMatchObject({ code: 1, stderr: expect.stringContaining('staging') });
  });

  it('a service that cannot start fails the step with its output', async () => {
    using folder = temporaryFolder();
    const failed = act(runnerIn(folder.path), { ...defaults, 'inputs.port': 'http' });
    await expect(failed).rejects.toMatchObject({
      code: 1,
      stderr: expect.stringContaining("invalid --port 'http'"),
    });
  });

  it('the GitLab job does the same', async () => {
    using folder = temporaryFolder();
    const { before_script, script } = read('examples/gitlab/.gitlab-ci.yml').test;
    // The clone it would make is already here.
    const lines = [...before_script.slice(1), ...script, 'echo; echo $PETSTORE_PID']
      .join('\n')
      .replaceAll('.petstore/', root);
    expect(lines).toContain(root);
    const { stdout } = await bash(lines, folder.path, { ...cleanEnvironment, TMPDIR: folder.path });
    const [pets = '', pid] = stdout.split('\n');
    expect(JSON.parse(pets)).toHaveLength(12);
    await stop(pid);
  });
});
