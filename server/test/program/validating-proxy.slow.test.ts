import { type ChildProcess, spawn } from 'node:child_process';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { type Address, parseAddress, runAcceptance } from '../support/acceptance.ts';
import { temporaryFolder } from '../support/engines.ts';
import { startProgram } from '../support/program.ts';

const root = fileURLToPath(new URL('../../../', import.meta.url));

it('the documented traffic passes a validating proxy without a violation', async () => {
  using folder = temporaryFolder();
  await using program = await startProgram(['--port', '0', '--data', folder.path]);
  const [production, staging] = program.lines.map(parseAddress) as [Address, Address];
  using proxies = new DisposableStack();
  const through = async ({ base, key }: Address): Promise<Address> => {
    const proxy = startProxy(base);
    proxies.defer(() => proxy.child.kill());
    return { base: await proxy.address, key };
  };
  const report = await runAcceptance(await through(production), await through(staging), '--documented-only');
  expect(report).toMatch(/\n(\d+) of \1 checks passed, 0 failed\n$/);
});

function startProxy(upstream: string): { child: ChildProcess; address: Promise<string> } {
  const prism = join(
    dirname(createRequire(import.meta.url).resolve('@stoplight/prism-cli/package.json')),
    'dist/index.js',
  );
  const args = [
    prism,
    'proxy',
    join(root, 'contract/v1.yaml'),
    upstream,
    '--errors',
    '--port',
    '0',
    '--host',
    '127.0.0.1',
  ];
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  const address = new Promise<string>((resolve, reject) => {
    let text = '';
    child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
      text += chunk;
      const [found] = /http:\/\/127\.0\.0\.1:[1-9]\d*/.exec(text) ?? [];
      if (found) resolve(found);
    });
    child.once('close', () => reject(new Error(`the proxy ended: ${text}`)));
  });
  return { child, address };
}
