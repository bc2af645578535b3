import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { runCommand } from '../../server/test/support/command.ts';
import { temporaryFolder } from '../../server/test/support/engines.ts';
import { freePort, isFree } from '../src/engine/free-port.ts';
import { Origin } from '../src/gateway/origin/origin.ts';
import { askProxy, failed } from './support/gateway/ask-proxy.ts';
import { defects } from './support/gateway/defects.ts';
import { type Defect, openProxy } from './support/gateway/proxy.ts';

const proxyProgram = fileURLToPath(new URL('./support/gateway/run-proxy.ts', import.meta.url));
const check = (...args: string[]) => runCommand(['check-gateway', ...args]);

describe('the questions to a gateway', () => {
  it('all pass for a proxy that forwards bytes unchanged', async () => {
    const responses = await askProxy(undefined);
    expect(failed(responses)).toEqual([]);
    expect(responses.filter(({ verdict }) => verdict === 'not tried')).toEqual([]);
    expect(responses.length).toBeGreaterThan(60);
  });

  it.each([
    ['delete-once', 'the origin received the DELETE 2 times: a cancel that succeeded is reported as 404'],
    ['int64', 'the body of the 200 changed: \'[{"id":9007199254740992,'],
    ['truncated', 'bytes reached the client as a complete 200'],
    ['change-seen', 'after the cancel, the list still shows the cancelled order'],
    ['lost-change-fails-2', 'the origin sent no response; the client received 200'],
    ['length-and-chunked', 'one request was sent; the origin received 2'],
    ['malformed-length-2', 'the origin received'],
    ['forwarded-for', "'X-Forwarded-For: 203.0.113.7' was forwarded without the address of the client"],
  ])('report the defect: %s', async (id, problem) => {
    const [result] = await askProxy(defects[id]?.(), [id.replace(/-2$/, '')]);
    expect(result).toMatchObject({ verdict: 'failed', problem: expect.stringContaining(problem) });
  });

  it('pass with advice where a gateway may choose', async () => {
    const responses = await askProxy(undefined, ['lost-read', 'operator-paths']);
    expect(responses.map(({ verdict, advice }) => [verdict, advice])).toEqual([
      ['passed', 'does not repeat a read whose response was lost, although that is safe'],
      ['passed', 'exposes /metrics, /healthz, /readyz'],
    ]);
    const fetchesForHead: Defect = {
      request(forwarded) {
        if (forwarded.method === 'HEAD') forwarded.method = 'GET';
      },
    };
    expect(await askProxy(fetchesForHead, ['methods', 'head'])).toMatchObject([
      { verdict: 'passed', advice: 'sends GET to the origin for HEAD' },
      { verdict: 'passed' },
    ]);
  });

  it('pass for a gateway that resets a connection after each response', async () => {
    const used = new WeakSet<object>();
    const resets: Defect = {
      own({ socket }) {
        const isUsed = used.has(socket);
        used.add(socket);
        if (!isUsed) return undefined;
        socket.resetAndDestroy();
        return {};
      },
    };
    expect(await askProxy(resets, ['keep-alive'])).toMatchObject([
      { verdict: 'passed', advice: 'closes the connection after a response' },
    ]);
  });

  it('wait for a gateway that avoids the origin while a change hangs', async () => {
    let hangingUntil = 0;
    const avoids: Defect = {
      own({ method }) {
        if (method === 'DELETE') hangingUntil = performance.now() + 4_000;
        return method !== 'DELETE' && performance.now() < hangingUntil ? { status: 503 } : undefined;
      },
    };
    const responses = await askProxy(avoids, ['hanging-change', 'closed-idle-connection']);
    expect(responses.map(({ verdict }) => verdict)).toEqual(['passed', 'passed']);
  });

  it('respond to health checks of the gateway', async () => {
    await using origin = await Origin.open(await freePort());
    const statusOf = async (path: string) => (await fetch(`http://127.0.0.1:${origin.port}${path}`)).status;
    expect([await statusOf('/readyz'), await statusOf('/healthz'), await statusOf('/v1/pets')]).toEqual([
      200, 200, 404,
    ]);
  });
});

describe.concurrent('check-gateway', () => {
  it('prints verdicts as JSON, and reports both sides of the gateway', async () => {
    using folder = temporaryFolder();
    const port = await freePort();
    await using proxy = await openProxy(port, defects.host?.());
    const [html, junit] = [join(folder.path, 'a.html'), join(folder.path, 'a.xml')];
    const flags = ['--through', proxy.url, '--origin-port', String(port), '--html', html, '--junit', junit];
    const { code, stdout } = await check(...flags, '--json', '--only', 'host,lost-read,query');
    expect(code).toBe(1);
    expect(JSON.parse(stdout)).toEqual({
      questions: [
        {
          id: 'lost-read',
          question: 'repeats or reports a read whose response was lost',
          verdict: 'passed',
          problem: null,
          advice: 'does not repeat a read whose response was lost, although that is safe',
        },
        { id: 'query', question: 'forwards the query', verdict: 'passed', problem: null },
        {
          id: 'host',
          question: 'forwards Host',
          verdict: 'failed',
          problem: `'Host: ${proxy.url.slice(7)}' was sent; the origin received 'origin.internal'`,
        },
      ],
      passed: 2,
      of: 3,
    });
    const page = readFileSync(html, 'utf8');
    for (const text of [
      'Sent by the client',
      'Received by the client',
      'Received by the origin',
      'host: origin.internal',
      'HTTP/1.1 200 OK',
    ])
      expect(page).toContain(text);
    expect(readFileSync(junit, 'utf8')).toContain('<testsuites tests="3" failures="1" skipped="0">');
  });

  it('lists its questions, including slow ones with --slow', async () => {
    const listed = async (...flags: string[]) =>
      JSON.parse((await check('--list', '--json', ...flags)).stdout);
    const [some, all] = [await listed(), await listed('--slow')];
    expect(some[0]).toMatchObject({ id: 'delete-once', question: expect.any(String) });
    expect(all.length - some.length).toBe(1);
  });

  it('starts the command with the origin’s address and stops it', async () => {
    const [port, originPort] = [await freePort(), await freePort()];
    const flags = [
      '--through',
      `http://127.0.0.1:${port}`,
      '--origin-port',
      String(originPort),
      '--only',
      'query',
    ];
    const { code, stdout, stderr } = await check(
      ...flags,
      '--',
      process.execPath,
      proxyProgram,
      String(port),
    );
    expect([code, stdout, stderr]).toEqual([0, 'PASS  forwards the query\n1 of 1 checks passed\n', '']);
    expect(await isFree(port)).toBe(true);
  });

  it('exits with 3 if the gateway forwards no response of the origin', async () => {
    const silent = createServer(() => {}).listen(0, '127.0.0.1');
    await once(silent, 'listening');
    const { port } = silent.address() as { port: number };
    for (const [to, why] of [
      [port, 'the origin received nothing; the client received no response'],
      [await freePort(), 'cannot connect to the gateway at '],
    ]) {
      const flags = [
        '--through',
        `http://127.0.0.1:${to}`,
        '--origin-port',
        String(await freePort()),
        '--timeout',
        '1',
      ];
      const { code, stderr } = await check(...flags, '--json');
      expect(code).toBe(3);
      expect(JSON.parse(stderr)).toMatchObject({
        code: 'gateway_unreachable',
        exitCode: 3,
        message: expect.stringContaining(String(why)),
      });
    }
    silent.close();
  });

  it('exits with 3 and prints the output as soon as the command fails', async () => {
    const flags = ['--through', 'http://127.0.0.1:9', '--origin-port', String(await freePort())];
    const { code, stderr } = await check(...flags, '--', 'sh', '-c', 'echo no such directive >&2; exit 7');
    expect(code).toBe(3);
    expect(stderr).toBe(
      'petstore: the command exited with code 7 before the gateway responded:\nno such directive\n',
    );
  });

  it('rejects invalid usage with exit code 2', async () => {
    const busy = createServer().listen(0, '127.0.0.1');
    await once(busy, 'listening');
    const { port } = busy.address() as { port: number };
    const through = ['--through', 'http://127.0.0.1:8000'];
    const cases: (readonly [string[], RegExp])[] = [
      [[], /requires --through URL/],
      [through, /requires --origin-port N/],
      [['--through', 'http://127.0.0.1:8000/v1', '--origin-port', '9000'], /must have no path/],
      [['--through', 'nginx', '--origin-port', '9000'], /must be an http or https URL/],
      [[...through, '--origin-port', '0'], /must be a port from 1 to 65535/],
      [[...through, '--origin-port', String(port)], /is in use/],
      [[...through, '--origin-port', '9000', '--only', 'delete-onc'], /Did you mean delete-once/],
      [
        [...through, '--origin-port', '9000', '--', 'no-such-gateway'],
        /cannot run no-such-gateway: command not found/,
      ],
    ];
    for (const [args, message] of cases) {
      const { code, stderr } = await check(...args);
      expect([code, stderr]).toEqual([2, expect.stringMatching(message)]);
    }
    busy.close();
  });
});
