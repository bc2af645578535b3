import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer, type RequestListener } from 'node:http';
import { type AddressInfo, createServer as createRawServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openPrivateStore } from '../../server/src/app/open-private-store.ts';
import { runCommand } from '../../server/test/support/command.ts';
import type { CallService } from '../src/bugs/bug.ts';
import { startBugProxy } from '../src/bugs/bug-proxy.ts';
import { deviations } from './support/foreign/deviations.ts';
import { createForeign, foreignKey, serveForeign } from './support/foreign/service.ts';

const key = `pst_live_${'a'.repeat(38)}`;

const check = (...args: string[]) => runCommand(['check-service', ...args]);

async function served<T>(server: Server, work: (origin: string) => Promise<T>): Promise<T> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  try {
    return await work(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  } finally {
    await new Promise((resolve) => server.close(resolve));
  }
}

const against = (listener: RequestListener, ...args: string[]) =>
  served(createServer(listener), (origin) => check('--url', `${origin}/v1`, '--key', key, ...args));

const alwaysRespondsWith =
  (status: number, body: string, headers: Record<string, string> = {}): RequestListener =>
  (_request, response) => {
    response.writeHead(status, { 'Content-Type': 'application/json', ...headers }).end(body);
  };

const list = alwaysRespondsWith(200, '[]');
const failures = (stdout: string) => Number(/(\d+) failed/.exec(stdout)?.[1] ?? 0);

describe('the checks reject', () => {
  it('a service that responds 200 with an empty list to everything', async () => {
    const { code, stdout } = await against(list);
    expect(code).toBe(1);
    expect(failures(stdout)).toBeGreaterThan(20);
    expect(stdout).toContain('FAIL  “401: API key missing or invalid: all operations” [spec.errors.401]');
  });

  it('a service that sends a body after HEAD', async () => {
    const raw = 'HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 2\r\n\r\n[]';
    const server = createRawServer((socket) => socket.once('data', () => socket.end(raw)));
    const args = ['--key', key, '--only', 'v1.head.like-get.listPets'];
    const { stdout } = await served(server, (origin) => check('--url', `${origin}/v1`, ...args));
    expect(stdout).toContain('expected no body');
  });

  it('a service that responds with an endless stream', async () => {
    const endless: RequestListener = (_request, response) => {
      response.writeHead(200, { 'Content-Type': 'text/event-stream' }).write(':\n\n');
    };
    const { code, stdout } = await against(endless, '--only', 'spec.list.array');
    expect(code).toBe(1);
    expect(stdout).toContain('observed text/event-stream');
  });

  it('a proxy that reports a contract violation', async () => {
    const violating = alwaysRespondsWith(200, '[]', { 'sl-violations': '[{}]' });
    const { code, stdout } = await against(violating, '--documented-only');
    expect(code).toBe(1);
    expect(failures(stdout)).toBeGreaterThan(20);
    expect(stdout).toContain('expected no violation of the document');
  });
});

it('a service passes even if its inspector records a request between two reads of the list', async () => {
  await using store = await openPrivateStore();
  const newest = async (callService: CallService) =>
    JSON.parse((await callService('GET /v2/store/requests?limit=1')).body).data[0]?.id;
  const hooks = {
    async intercept({ method, path }: { method: string; path: string }, callService: CallService) {
      if (method !== 'GET' || path !== '/v2/store/requests') return undefined;
      const before = await newest(callService);
      await callService('GET /v1/pets');
      await expect.poll(() => newest(callService), { timeout: 30_000 }).not.toBe(before);
      return undefined;
    },
  };
  await using proxy = await startBugProxy({ target: Number(new URL(store.address).port), hooks });
  const flags = ['--key', store.key, '--level', 'all', '--only', 'all.inputs.outermost'];
  const { code, stdout } = await check('--url', `${proxy.origin}/v1`, ...flags);
  expect([code, stdout]).toEqual([0, expect.stringContaining('1 of 1 checks passed')]);
});

describe('a report', () => {
  it('groups failures by cause and shows the first of each with request and response', async () => {
    const service = createForeign();
    deviations.find(({ name }) => name === 'an Error lacks status')?.change(service);
    await using foreign = await serveForeign(service);
    const { code, stdout } = await check('--url', foreign.url, '--key', foreignKey);
    expect(code).toBe(1);
    expect(stdout).toMatch(
      /\n1\. expected the field `status` in the Error object: \d\d checks\n {3}spec\.\S+, spec/,
    );
    expect(stdout).toMatch(
      /Request\n {7}\w+ \/shop\/v1\S+ HTTP\/1\.1\n(?:.*\n)*? +Response\n {7}HTTP\/1\.1 401 /,
    );
    expect(stdout).not.toContain(foreignKey);
  });

  it('keeps words that contain a short key, and names that contain digits', async () => {
    const service = createServer(alwaysRespondsWith(200, '[{"id":"any company"}]'));
    const args = ['--key', 'any', '--only', 'spec.order.id'];
    const { stdout } = await served(service, (origin) => check('--url', `${origin}/v1`, ...args));
    expect(stdout).toContain('observed {"id":"<API_KEY> company"}');
    expect(stdout).toContain('1. expected an int64 in `id`: 1 check\n');
  });

  it('is one JSON object with --json', async () => {
    const { code, stdout } = await against(list, '--json', '--only', 'v1.list.array,v1.cancel.404');
    const report = JSON.parse(stdout);
    expect(code).toBe(1);
    expect(report).toMatchObject({ passed: 1, failed: 1, of: 2 });
    expect(report.checks[0]).toEqual({
      id: 'v1.list.array',
      statement: '“200: JSON array of Order objects”',
      level: 'v1',
      verdict: 'passed',
      problem: null,
    });
    expect(report.checks[1]).toMatchObject({
      verdict: 'failed',
      problem: 'DELETE /store/orders/987654321: expected status 404, observed 200 []',
    });
  });

  it('names the check after which the service stopped responding', async () => {
    const service = createForeign();
    const foreign = await serveForeign(service);
    service.listPets = () => {
      foreign.crash();
      return { status: 200 };
    };
    const { code, stdout } = await check('--url', foreign.url, '--key', foreignKey);
    expect(code).toBe(1);
    expect(stdout).toContain('the service stopped responding after check spec.service.pets');
  });

  it('is written as JUnit XML in addition to the text', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'petstore-junit-'));
    try {
      const file = join(folder, 'report.xml');
      const only = 'v1.list.array,v1.cancel.404,v2.stream.expired';
      await against(list, '--junit', file, '--only', only);
      const xml = readFileSync(file, 'utf8');
      expect(xml).toContain('name="“200: JSON array of Order objects”"');
      expect(xml).toMatch(/<failure message="[^"]*expected status 404, observed 200 \[\]"/);
      expect(xml).toMatch(/<skipped message="/);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});

describe('a run', () => {
  it('prints what it will change before it starts, on standard error', async () => {
    await using foreign = await serveForeign(createForeign());
    const { stderr } = await check('--url', foreign.url, '--key', foreignKey, '--pending', '37');
    expect(stderr).toContain('This run changes the store:\n- it cancels order 37\n');
  });

  it('cancels only the given order', async () => {
    const service = createForeign();
    await using foreign = await serveForeign(service);
    await check('--url', foreign.url, '--key', foreignKey, '--pending', '31', '--shipped', '34');
    expect(service.orders.filter(({ state }) => state === 'cancelled').map(({ id }) => id)).toEqual([31]);
  });

  it('fails a service that cancels nothing only if every order that has not shipped was tried', async () => {
    const verdictOf = async (count: number, future: number) => {
      const service = createForeign();
      const now = Date.now();
      service.orders = Array.from({ length: count }, (_, at) => ({
        id: at + 1,
        // Tried last: the first order tried has the earliest date, and the others the latest ones.
        state: count > 30 && at === 1 ? 'pending' : 'shipped',
        shown: {
          id: at + 1,
          petId: 9,
          quantity: 1,
          shipDate: new Date(now + (at - (count - future) + 0.5) * 864e5).toISOString(),
          complete: false,
        },
      }));
      await using foreign = await serveForeign(service);
      const args = ['--url', foreign.url, '--key', foreignKey, '--only', 'spec.cancel.204', '--json'];
      return JSON.parse((await check(...args)).stdout).checks[0];
    };
    expect(await verdictOf(40, 40)).toMatchObject({
      verdict: 'not checked',
      problem: expect.stringContaining('name a pending one with --pending ID'),
    });
    expect(await verdictOf(30, 20)).toMatchObject({ verdict: 'failed' });
  });

  it('changes nothing with --read-only, and lists what it could not check', async () => {
    const service = createForeign();
    const methods = new Set<string | undefined>();
    const { finish } = service;
    service.finish = (reply, request, url) => {
      methods.add(request.method);
      return finish(reply, request, url);
    };
    await using foreign = await serveForeign(service);
    const { code, stdout } = await check('--url', foreign.url, '--key', foreignKey, '--read-only', '--json');
    const { checks, passed, failed, of } = JSON.parse(stdout);
    expect([code, failed, methods]).toEqual([0, 0, new Set(['GET'])]);
    expect([passed > 20, of]).toEqual([true, checks.length]);
    expect(checks).toContainEqual(
      expect.objectContaining({ id: 'spec.cancel.204', verdict: 'not checked', problem: expect.any(String) }),
    );
  });
});

describe('--only', () => {
  it('selects by ID prefix up to a dot', async () => {
    const { stdout } = await against(list, '--json', '--only', 'v1.states');
    const ids = (JSON.parse(stdout).checks as { id: string }[]).map(({ id }) => id);
    expect(ids.length).toBeGreaterThan(2);
    for (const id of ids) expect(id).toMatch(/^v1\.states\./);
  });

  it('rejects a value that matches no check', async () => {
    const { code, stderr } = await against(list, '--only', 'spec.list.array,spec.li');
    expect(code).toBe(2);
    expect(stderr).toContain("unknown check 'spec.li' in --only");
  });
});

describe('a base address without /v1', () => {
  it.each([
    {
      where: 'of a service',
      exists: (path: string) => path.startsWith('/v1/'),
      code: 0,
      requested: '/v1/store/orders',
    },
    {
      where: 'of a service without a version',
      exists: (path: string) => !path.startsWith('/v1/'),
      code: 1,
      requested: '/store/orders',
    },
  ])('is accepted: $where', async ({ exists, requested, code }) => {
    const paths: string[] = [];
    const server = createServer(({ url = '' }, response) => {
      paths.push(url);
      response.writeHead(exists(url) ? 200 : 404, { 'Content-Type': 'application/json' }).end('[]');
    });
    const args = ['--key', key, '--only', 'spec.service.base-address,spec.list.array'];
    const ended = await served(server, (origin) => check('--url', origin, ...args));
    expect(ended.code).toBe(code);
    expect(paths).toContain(requested);
  });
});

describe('the command', () => {
  it('lists the checks of a level without a running service', async () => {
    const { code, stdout } = await check('--list', '--json');
    const checks = JSON.parse(stdout) as { id: string; level: string; statement: string }[];
    expect(code).toBe(0);
    expect(checks.length).toBeGreaterThan(50);
    for (const { id, level } of checks) expect([id.split('.')[0], level]).toEqual(['spec', 'spec']);
  });

  const base = 'http://127.0.0.1:8080/v1';
  it.each([
    { name: 'nothing at all', args: [] },
    { name: 'no key', args: ['--url', base] },
    { name: 'no URL', args: ['--key', key] },
    { name: 'an unknown option', args: ['--url', base, '--key', key, '--colour'] },
    { name: 'a stray word', args: ['--url', base, '--key', key, 'now'] },
    { name: 'an option without its value', args: ['--url', '--key', key] },
    { name: 'an address that is none', args: ['--url', 'localhost:8080', '--key', key] },
    { name: 'an empty list of checks', args: ['--url', base, '--key', key, '--only', ''] },
    { name: 'an unknown level', args: ['--url', base, '--key', key, '--level', 'v3'] },
    { name: 'an id that is none', args: ['--url', base, '--key', key, '--pending', 'two'] },
    { name: 'half of a staging deployment', args: ['--url', base, '--key', key, '--staging-url', base] },
  ])('rejects $name in one line with exit code 2', async ({ args }) => {
    const { code, stdout, stderr } = await check(...args);
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toMatch(/^petstore: .+\n$/);
  });

  it('exits with 3 if there is no service', async () => {
    const { code, stdout, stderr } = await check('--url', 'http://127.0.0.1:1/v1', '--key', key);
    expect([code, stdout]).toEqual([3, '']);
    expect(stderr).toBe('petstore: cannot reach http://127.0.0.1:1/v1: connection refused\n');
  });

  it('exits with 3 where the key is rejected', async () => {
    const { code, stdout, stderr } = await against(alwaysRespondsWith(401, '{}'));
    expect([code, stdout]).toEqual([3, '']);
    expect(stderr).toMatch(/^petstore: the service rejects the key: GET .+ is 401\n$/);
  });
});
