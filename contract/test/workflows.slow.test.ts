import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { startPetStore } from '../../testing/src/index.ts';
import { path } from '../generators/target.ts';

const run = promisify(execFile);
const redocly = path('../../node_modules/@redocly/cli/bin/cli.js');

it('the documented workflows match the service', async () => {
  await using store = await startPetStore();
  const server = `petstore=${store.url.replace(/\/v1$/, '/v2')}`;
  const inputs = ['--input', `key=${store.key}`, '--input', 'idempotencyKey=test'];
  const args = [redocly, 'respect', path('../workflows.yaml'), '--server', server, ...inputs];
  const { stdout, stderr } = await run(process.execPath, args).catch((error) => error);
  expect(stdout + stderr).toMatch(/Workflows: 4 passed, 4 total/);
  // Three orders were placed, one of them by two requests.
  const orders = await Array.fromAsync(store.client.orders.list({}));
  expect(orders).toHaveLength(43);
});
