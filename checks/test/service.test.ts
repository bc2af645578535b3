import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer, type RequestListener } from 'node:http';
import { type AddressInfo, createServer as createRawServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { runAcceptance } from '../src/service/run-acceptance.ts';

const key = `pst_live_${'a'.repeat(38)}`;

type Outcome = { code: number; stdout: string; stderr: string };

async function acceptance(...args: string[]): Promise<Outcome> {
  const said = { stdout: '', stderr: '' };
  const code = await runAcceptance(args, {
    isColourful: false,
    print: (text) => {
      said.stdout += text;
    },
    warn: (text) => {
      said.stderr += text;
    },
  });
  return { code, ...said };
}

async function served(server: Server, work: (origin: string) => Promise<Outcome>): Promise<Outcome> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  try {
    return await work(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  } finally {
    await new Promise((resolve) => server.close(resolve));
  }
}

const against = (listener: RequestListener, ...args: string[]): Promise<Outcome> =>
  served(createServer(listener), (origin) => acceptance('--base', `${origin}/v1`, '--key', key, ...args));

const alwaysRespondsWith =
  (status: number, body: string, headers: Record<string, string> = {}): RequestListener =>
  (_request, response) => {
    response.writeHead(status, { 'Content-Type': 'application/json', ...headers }).end(body);
  };

const failures = ({ stdout }: Outcome) => Number(/(\d+) passed, (\d+) failed\n$/.exec(stdout)?.[2] ?? 0);

describe('the suite can fail', () => {
  it('a service that answers 200 and an empty list to everything', async () => {
    const outcome = await against(alwaysRespondsWith(200, '[]'));
    expect(outcome.code).toBe(1);
    expect(outcome.stderr).toBe('');
    expect(failures(outcome)).toBeGreaterThan(100);
    expect(outcome.stdout).toContain('✘ “A client can cancel one order');
  });

  it('a service that refuses every key', async () => {
    const body = '{"code":"invalid_api_key","message":"No.","status":401}';
    const outcome = await against(alwaysRespondsWith(401, body));
    expect(outcome.code).toBe(1);
    expect(outcome.stdout).toContain('Note: the service refused the key every time.');
    expect(outcome.stdout).not.toContain(key);
  });

  it('a service that sends a body after HEAD', async () => {
    const raw = 'HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 2\r\n\r\n[]';
    const server = createRawServer((socket) => socket.once('data', () => socket.end(raw)));
    const args = ['--key', key, '--only', 'v1.head.like-get.listPets'];
    const outcome = await served(server, (origin) => acceptance('--base', `${origin}/v1`, ...args));
    expect(outcome.stdout).toContain('expected  no body');
  });

  it('a service that answers with a stream that has no end', async () => {
    const endless: RequestListener = (_request, response) => {
      response.writeHead(200, { 'Content-Type': 'text/event-stream' }).write(':\n\n');
    };
    const { code, stdout } = await against(endless, '--only', 'v1.list.array');
    expect(code).toBe(1);
    expect(stdout).toContain('received  text/event-stream');
  });

  it('a proxy that reports a violation of the document', async () => {
    const outcome = await against(
      alwaysRespondsWith(200, '[]', { 'sl-violations': '[{}]' }),
      '--documented-only',
    );
    expect(outcome.code).toBe(1);
    expect(failures(outcome)).toBeGreaterThan(40);
    expect(outcome.stdout).toContain('expected  no violation of the document');
  });
});

describe('a report', () => {
  const list = alwaysRespondsWith(200, '[]');

  it('is one JSON object with --json', async () => {
    const { code, stdout } = await against(list, '--json', '--only', 'v1.list.array,v1.cancel.404');
    const report = JSON.parse(stdout);
    expect(code).toBe(1);
    expect(report).toMatchObject({ passed: 1, failed: 1, notChecked: 0 });
    expect(report.checks[0]).toEqual({
      id: 'v1.list.array',
      section: 'Endpoints: GET /store/orders (listOrders)',
      sentence: '“200: JSON array of Order objects”',
      verdict: 'passed',
    });
    expect(report.checks[1]).toMatchObject({ verdict: 'failed', expected: 'status 404', received: '200 []' });
  });

  it('is a file of JUnit, beside the text', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'petstore-junit-'));
    try {
      const file = join(folder, 'report.xml');
      const { stdout } = await against(
        list,
        '--junit',
        file,
        '--only',
        'v1.list.array,v1.cancel.404,v2.stream',
      );
      const xml = readFileSync(file, 'utf8');
      expect(stdout).toContain('✔ “200: JSON array of Order objects” [v1.list.array]');
      expect(xml).toMatch(/^<\?xml .*\n<testsuites name="Pet Store acceptance" tests="\d+" failures="[1-9]/);
      expect(xml).toContain(
        '<testcase classname="v1.list.array" name="“200: JSON array of Order objects”" time="',
      );
      expect(xml).toMatch(/<failure message="in [^"]*; expected status 404; received 200 \[\]"\/>/);
      expect(xml).toMatch(/<skipped message="it would take as long"\/>/);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});

describe('--only', () => {
  it('takes the beginning of ids, up to a dot', async () => {
    const { stdout } = await against(alwaysRespondsWith(200, '[]'), '--json', '--only', 'v1.states');
    const ids = (JSON.parse(stdout).checks as { id: string }[]).map(({ id }) => id);
    expect(ids.length).toBeGreaterThan(5);
    for (const id of ids) expect(id).toMatch(/^v1\.states\./);
  });

  it('refuses what names no check', async () => {
    const { code, stderr } = await against(alwaysRespondsWith(200, '[]'), '--only', 'v1.list.array,v1.li');
    expect(code).toBe(2);
    expect(stderr).toBe('acceptance: --only names no check: v1.li (--help explains the options)\n');
  });
});

describe('a base address without /v1', () => {
  it.each([
    { where: 'of a service', isThere: (path: string) => path.startsWith('/v1/'), asked: '/v1/store/orders' },
    { where: 'of a proxy', isThere: (path: string) => !path.startsWith('/v1/'), asked: '/store/orders' },
  ])('is understood: that $where', async ({ isThere, asked }) => {
    const paths: string[] = [];
    const server = createServer(({ url = '' }, response) => {
      paths.push(url);
      response.writeHead(isThere(url) ? 200 : 404, { 'Content-Type': 'application/json' }).end('[]');
    });
    const args = ['--key', key, '--only', 'v1.list.array'];
    const { code } = await served(server, (origin) => acceptance('--base', origin, ...args));
    expect(code).toBe(0);
    expect(paths).toContain(asked);
  });
});

describe('the command', () => {
  it('is a program of its own', async () => {
    const main = fileURLToPath(new URL('../src/service/main.ts', import.meta.url));
    const ended = promisify(execFile)(process.execPath, [main, '--base', 'nowhere', '--key', key]);
    await expect(ended).rejects.toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/^acceptance: .+\n$/),
    });
  });

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
    { name: 'an empty list of checks', args: ['--base', base, '--key', key, '--only', ''] },
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
