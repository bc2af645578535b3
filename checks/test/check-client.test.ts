import { mkdtempDisposableSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { runCommand } from '../../server/test/support/command.ts';
import { questions } from '../src/client/questions/all.ts';
import { NO_LIMIT } from './support/problems-of.ts';

const client = (name: string) => fileURLToPath(new URL(`./clients/${name}`, import.meta.url));
const checkClient = (...args: string[]) => runCommand(['check-client', ...args]);

describe.concurrent('check-client', () => {
  it('passes a correct client and lists the mistakes of an incorrect one', async () => {
    const limit = ['--timeout', String(NO_LIMIT)];
    const only = [...limit, '--only', 'lists-orders,int64-read,lost-answer,stream-resumes,webhook-forged'];
    const right = await checkClient(...only, '--', process.execPath, client('own.ts'));
    expect([right.code, right.stderr, right.stdout.match(/^PASS/gm)]).toEqual([0, '', Array(5).fill('PASS')]);
    expect(right.stdout).toMatch(/\n5 of 5 checks passed\n$/);

    const wrong = await checkClient(...only, '--', 'python3', client('standard_library.py'));
    expect([wrong.code, wrong.stderr, wrong.stdout.trimEnd().split('\n')]).toEqual([
      1,
      'Run petstore check-client --help to see what each task expects.\n',
      [
        'PASS  lists the orders',
        'PASS  reads int64 ids exactly',
        'FAIL  retries a lost response without a second order: it gave up without knowing whether the order was placed',
        'SKIP  resumes a stream after a disconnect',
        'SKIP  rejects a forged webhook',
        'Fix first: lost-answer. Retries with the same `Idempotency-Key`, which returns the result of the first attempt.',
        '2 of 3 checks passed',
      ],
    ]);
  });

  it('prints a starter client in four languages', async () => {
    for (const [language, text] of [
      ['python', 'def '],
      ['javascript', 'await '],
      ['java', 'class '],
      ['go', 'func '],
    ] as const)
      expect(await checkClient('--template', language)).toMatchObject({
        code: 0,
        stdout: expect.stringContaining(text),
      });
    expect(await checkClient('--template', 'cobol')).toMatchObject({
      code: 2,
      stderr: "petstore: invalid --template 'cobol': must be one of python, javascript, java, go\n",
    });
  });

  it('exits with 3 if nothing was tested', async () => {
    const { code, stdout } = await checkClient(
      '--only',
      'lists-orders,places-once,gone',
      '--',
      'sh',
      '-c',
      'exit 64',
    );
    expect([code, stdout.trimEnd().split('\n').at(-1)]).toEqual([3, '0 of 0 checks passed']);
  });

  it('fails a client that skips one question of a task, and one that skips after a request', async () => {
    const skipping = `
      test $PETSTORE_TASK = list-orders && curl -s "$PETSTORE_URL/store/orders" && exit 64
      test $PETSTORE_ORDER_ID = 3 && exit 64
      curl -sf -X DELETE "$PETSTORE_URL/store/orders/$PETSTORE_ORDER_ID" -H "Authorization: Bearer $PETSTORE_KEY"`;
    const ids = 'lists-orders,no-content,conflict-is-final';
    const { code, stdout } = await checkClient('--json', '--only', ids, '--', 'sh', '-c', skipping);
    expect([code, JSON.parse(stdout)]).toMatchObject([
      1,
      {
        questions: [
          { verdict: 'failed', problem: 'it exited with code 64' },
          { verdict: 'passed', problem: null },
          {
            verdict: 'failed',
            problem: 'it exited with code 64, though it supports this task in other checks',
          },
        ],
        passed: 1,
        of: 3,
      },
    ]);
  });

  it('reports a client that hangs as not exiting', async () => {
    const args = ['--timeout', '1', '--only', 'lists-orders', '--', 'sleep', '100'];
    const { code, stdout } = await checkClient(...args);
    expect([code, stdout]).toEqual([
      1,
      'FAIL  lists the orders: it did not exit within 1 s without sending a request\n' +
        'Fix first: lists-orders. Sends the key as a bearer token and reads the array.\n0 of 1 checks passed\n',
    ]);
  });

  it('reports a webhook receiver that listens elsewhere, whatever it logs', async () => {
    const command = ['sh', '-c', 'echo listening on 8080 >&2; exec sleep 100'];
    const { code, stdout } = await checkClient(
      '--timeout',
      '1',
      '--only',
      'webhook-accepted',
      '--',
      ...command,
    );
    expect([code, stdout]).toEqual([
      1,
      expect.stringContaining('FAIL  accepts a webhook signed by the store'),
    ]);
  });

  it('rejects a program that crashes before it sends a request', async () => {
    const command = ['sh', '-c', 'echo no such library >&2; kill -SEGV $$'];
    expect(await checkClient('--only', 'lists-orders', '--', ...command)).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/was killed by SIGSEGV without sending a request.*\nno such library/),
    });
  });

  it('explains its usage and rejects a program that cannot be run', async () => {
    expect((await checkClient('--help')).stdout).toContain('PETSTORE_TASK ');
    expect(await checkClient()).toMatchObject({
      code: 2,
      stderr: 'petstore: check-client requires a command: petstore check-client -- COMMAND…\n',
    });
    expect(await checkClient('--only', 'x', '--', 'true')).toMatchObject({
      code: 2,
      stderr: "petstore: unknown check 'x' in --only; run with --list to see all\n",
    });
    const [file, command] = ['no/such/a.html', ['--', 'sh', '-c', 'exit 64']];
    expect(await checkClient('--html', file, ...command)).toMatchObject({
      code: 2,
      stdout: '',
      stderr: expect.stringMatching(/^petstore: invalid --html 'no\/such\/a.html': ENOENT.*\n$/),
    });
    const folder = ['--only', 'gone', '--html', tmpdir()];
    expect(await checkClient(...folder, ...command)).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/^petstore: invalid --html '.*': is a directory\n$/),
    });
    expect(await checkClient('--', '/no/such/program', '--help')).toMatchObject({
      code: 2,
      stderr: 'petstore: cannot run /no/such/program: command not found\n',
    });
    expect(await checkClient('--', 'python3', '/no/such/client.py')).toMatchObject({
      code: 2,
      stdout: '',
      stderr: expect.stringMatching(
        /^petstore: python3 \/no\/such\/client.py exited with code 2.*\n.*can't open/,
      ),
    });
  });

  it('lists its questions and asks only the selected ones', async () => {
    const { stdout } = await checkClient('--list', '--json');
    expect(JSON.parse(stdout)).toEqual(
      questions.map(({ id, requirement }) => ({ id, question: requirement })),
    );
    expect(stdout.split('\n')[1]).toBe('{"id":"lists-orders","question":"lists the orders"},');

    using folder = mkdtempDisposableSync(join(tmpdir(), 'petstore-check-client-'));
    const [junit, html] = [join(folder.path, 'a.xml'), join(folder.path, 'a.html')];
    const program = join(folder.path, 'client.sh');
    writeFileSync(program, 'test $PETSTORE_TASK = list-orders && curl -s "$PETSTORE_URL/<b>"; exit 0');
    const only = 'lists-orders,gone';
    const files = ['--junit', junit, '--html', html];
    const ran = await checkClient('--json', '--only', only, ...files, '--', 'sh', program);
    expect({ code: ran.code, json: JSON.parse(ran.stdout) }).toEqual({
      code: 1,
      json: {
        questions: [
          {
            id: 'lists-orders',
            question: 'lists the orders',
            verdict: 'failed',
            problem: expect.stringContaining('did not print 1'),
          },
          {
            id: 'gone',
            question: 'treats 410 as final',
            verdict: 'failed',
            problem: 'it exited with code 0 without sending a request',
          },
        ],
        passed: 0,
        of: 2,
      },
    });
    expect(readFileSync(junit, 'utf8')).toContain('<testsuites tests="2" failures="2" skipped="0">');
    const page = readFileSync(html, 'utf8');
    expect(page).toContain('0 of 2 checks passed');
    expect(page).toContain('GET /v1/&lt;b&gt; HTTP/1.1');
    expect(page).not.toMatch(/<b>|src=|href="[^#]|pst_test_/);
  });
});
