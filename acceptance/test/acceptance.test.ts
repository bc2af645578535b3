import { spawn } from 'node:child_process';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

const main = fileURLToPath(new URL('../src/main.ts', import.meta.url));
const key = `pst_live_${'a'.repeat(38)}`;

type Outcome = { code: number | null; stdout: string; stderr: string };

function acceptance(...args: string[]): Promise<Outcome> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [main, ...args], { stdio: ['ignore', 'pipe', 'pipe'] });
    let stdout = '';
    let stderr = '';
    child.stdout.on('data', (chunk) => {
      stdout += chunk;
    });
    child.stderr.on('data', (chunk) => {
      stderr += chunk;
    });
    child.on('error', reject);
    child.on('close', (code) => resolve({ code, stdout, stderr }));
  });
}

async function against(listener: RequestListener, ...args: string[]): Promise<Outcome> {
  const server = createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  try {
    const { port } = server.address() as AddressInfo;
    return await acceptance('--base', `http://127.0.0.1:${port}/v1`, '--key', key, ...args);
  } finally {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }
}

const answersAlways =
  (status: number, body: string, headers: Record<string, string> = {}): RequestListener =>
  (_request, response) => {
    response.writeHead(status, { 'Content-Type': 'application/json', ...headers }).end(body);
  };

const failures = ({ stdout }: Outcome) => Number(/(\d+) passed, (\d+) failed\n$/.exec(stdout)?.[2] ?? 0);

describe('the suite can fail', () => {
  it('a service that answers 200 and an empty list to everything', async () => {
    const outcome = await against(answersAlways(200, '[]'));
    expect(outcome.code).toBe(1);
    expect(outcome.stderr).toBe('');
    expect(failures(outcome)).toBeGreaterThan(100);
    expect(outcome.stdout).toContain('✘ “A client can cancel one order');
  });

  it('a service that refuses every key', async () => {
    const body = '{"code":"invalid_api_key","message":"No.","status":401}';
    const outcome = await against(answersAlways(401, body));
    expect(outcome.code).toBe(1);
    expect(outcome.stdout).toContain('Note: the service refused the key every time.');
    expect(outcome.stdout).not.toContain(key);
  });

  it('a proxy that reports a violation of the document', async () => {
    const outcome = await against(answersAlways(200, '[]', { 'sl-violations': '[{}]' }), '--documented-only');
    expect(outcome.code).toBe(1);
    expect(failures(outcome)).toBeGreaterThan(40);
    expect(outcome.stdout).toContain('expected  no violation of the document');
  });
});

describe('the command', () => {
  it('teaches with --help', async () => {
    const { code, stdout } = await acceptance('--help');
    expect(code).toBe(0);
    expect(stdout).toContain('--documented-only');
  });

  const base = 'http://127.0.0.1:8080/v1';
  it.each([
    { name: 'nothing at all', args: [] },
    { name: 'no key', args: ['--base', base] },
    { name: 'no base', args: ['--key', key] },
    { name: 'an unknown option', args: ['--base', base, '--key', key, '--colour'] },
    { name: 'a stray word', args: ['--base', base, '--key', key, 'now'] },
    { name: 'an option without its value', args: ['--base', '--key', key] },
    { name: 'an address that is none', args: ['--base', 'localhost:8080', '--key', key] },
    { name: 'half of a staging deployment', args: ['--base', base, '--key', key, '--staging-base', base] },
  ])('refuses $name in one line with exit code 2', async ({ args }) => {
    const { code, stdout, stderr } = await acceptance(...args);
    expect(code).toBe(2);
    expect(stdout).toBe('');
    expect(stderr).toMatch(/^acceptance: .+\n$/);
  });

  it('says in one line that no service is there', async () => {
    const { code, stdout, stderr } = await acceptance('--base', 'http://127.0.0.1:1/v1', '--key', key);
    expect(code).toBe(1);
    expect(stdout).toBe('');
    expect(stderr).toBe('acceptance: cannot reach http://127.0.0.1:1/v1: connection refused\n');
  });
});
