import { mkdtempDisposableSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { everything } from '../../server/test/support/effort.ts';
import { runProgram } from '../../server/test/support/program.ts';
import { questions } from '../src/check-client/questions/all.ts';
import { problemsOf } from './support/problems-of.ts';

const client = (name: string) => fileURLToPath(new URL(`./clients/${name}`, import.meta.url));

const notTried = (...ids: string[]) => Object.fromEntries(ids.map((id) => [id, 'not tried']));
const events = questions.flatMap(({ id, task }) => (/events|webhooks/.test(task) ? id : []));

/** What a client does not pass of all questions, or of those that it is known not to pass and the first three. */
async function expectProblems(command: readonly string[], problems: Record<string, unknown>): Promise<void> {
  const first = questions.slice(0, 3).map(({ id }) => id);
  const isPut = (id: string) => everything || first.includes(id) || id in problems;
  expect(await problemsOf(command, isPut)).toEqual(problems);
}

describe.concurrent('check-client', () => {
  it('finds that our own client says nothing of what is deprecated, and keeps no list to revalidate', async () => {
    const { code, stdout, stderr } = await runProgram([
      'check-client',
      '--',
      process.execPath,
      client('own.ts'),
    ]);
    const lines = stdout.trimEnd().split('\n');
    expect(lines).toHaveLength(questions.length + 1);
    expect({ code, stderr, problems: lines.filter((line) => !/^yes/.test(line)) }).toEqual({
      code: 1,
      stderr: 'petstore check-client --help tells what a client is asked to do\n',
      problems: [
        ' -   revalidates with ETag',
        'NO   says that an operation is deprecated: it said nothing of it on standard error',
        `${questions.length - 2} of ${questions.length - 1} questions passed`,
      ],
    });
    expect(lines).toContain('yes  reads an array of 100,000');
  });

  it('finds that fetch with JSON.parse rounds, and knows no date to wait for', async () => {
    await expectProblems([process.execPath, client('fetch.js')], {
      'int64-read': 'it did not print 9007199254740993',
      'retry-after-date': expect.stringMatching(/^it tried again \d+ ms too early$/),
      ...notTried(...events),
    });
  });

  it('finds that a shell script with curl retries what is final, and doubles an order', async () => {
    await expectProblems(['sh', client('curl.sh')], {
      'conflict-is-final': '3 requests arrived instead of 1',
      'refused-key-is-final': '3 requests arrived instead of 1',
      'lost-answer': 'there are 2 new orders',
      deprecation: 'it said nothing of it on standard error',
      gone: '3 requests arrived instead of 1',
      ...notTried('pages', 'etag', ...events),
    });
  });

  it("finds that Python's standard library tries nothing again", async () => {
    await expectProblems(['python3', client('standard_library.py')], {
      'lost-answer': 'it gave up, and cannot know whether the order is placed',
      'dropped-read': 'it ended with code 1',
      'reset-connection': 'it ended with code 1',
      'retry-after': 'it did not try again',
      'retry-after-date': 'it did not try again',
      deprecation: 'it said nothing of it on standard error',
      ...notTried('etag', ...events),
    });
  });

  it.for(everything ? ['true', 'false'] : ['true'])(
    'lets %s, which asks for nothing, pass nothing',
    async (program) => {
      expect(Object.keys(await problemsOf([program]))).toHaveLength(questions.length - 1);
    },
  );

  it('ends with 1 where nothing was tried', async () => {
    const { code, stdout } = await runProgram([
      'check-client',
      '--only',
      'lists-orders,places-once,gone',
      '--',
      'sh',
      '-c',
      'exit 64',
    ]);
    expect([code, stdout.trimEnd().split('\n').at(-1)]).toEqual([1, '0 of 0 questions passed']);
  });

  it('says of a client that hangs that it did not end', async () => {
    const args = ['check-client', '--timeout', '1', '--only', 'lists-orders', '--', 'sleep', '100'];
    const { code, stdout } = await runProgram(args);
    expect([code, stdout]).toEqual([
      1,
      'NO   lists the orders: it did not end within 1 s without a request\n0 of 1 questions passed\n',
    ]);
  });

  it('says what it needs, and stops at a program that it cannot run', async () => {
    expect((await runProgram(['check-client', '--help'])).stdout).toContain('PETSTORE_TASK ');
    expect(await runProgram(['check-client'])).toMatchObject({
      code: 2,
      stderr: 'petstore: check-client needs a command: petstore check-client -- COMMAND…\n',
    });
    expect(await runProgram(['check-client', '--only', 'x', '--', 'true'])).toMatchObject({
      code: 2,
      stderr: "petstore: --only: there is no 'x'; --list shows what there is\n",
    });
    const [file, command] = ['no/such/a.html', ['--', 'sh', '-c', 'exit 64']];
    expect(await runProgram(['check-client', '--html', file, ...command])).toMatchObject({
      code: 2,
      stdout: '',
      stderr: expect.stringMatching(/^petstore: --html is 'no\/such\/a.html': ENOENT.*\n$/),
    });
    const folder = ['--only', 'gone', '--html', tmpdir()];
    expect(await runProgram(['check-client', ...folder, ...command])).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/^petstore: --html is '.*': it is a folder\n$/),
    });
    expect(await runProgram(['check-client', '--', '/no/such/program', '--help'])).toMatchObject({
      code: 2,
      stderr: 'petstore: cannot run /no/such/program: spawn /no/such/program ENOENT\n',
    });
    expect(await runProgram(['check-client', '--', 'python3', '/no/such/client.py'])).toMatchObject({
      code: 2,
      stdout: '',
      stderr: expect.stringMatching(
        /^petstore: python3 \/no\/such\/client.py ended with code 2.*\n.*can't open/,
      ),
    });
  });

  it('lists its questions, and puts those that are named', async () => {
    const { stdout } = await runProgram(['check-client', '--list', '--json']);
    expect(JSON.parse(stdout)).toEqual(questions.map(({ id, ask }) => ({ id, question: ask })));
    expect(stdout.split('\n')[1]).toBe('{"id":"lists-orders","question":"lists the orders"},');

    using folder = mkdtempDisposableSync(join(tmpdir(), 'petstore-check-client-'));
    const [junit, html] = [join(folder.path, 'a.xml'), join(folder.path, 'a.html')];
    const program = join(folder.path, 'client.sh');
    writeFileSync(program, 'test $PETSTORE_TASK = list-orders && curl -s "$PETSTORE_URL/<b>"; exit 0');
    const only = 'lists-orders,gone';
    const args = [
      'check-client',
      '--json',
      '--only',
      only,
      '--junit',
      junit,
      '--html',
      html,
      '--',
      'sh',
      program,
    ];
    const ran = await runProgram(args);
    expect({ code: ran.code, told: JSON.parse(ran.stdout) }).toEqual({
      code: 1,
      told: {
        questions: [
          {
            id: 'lists-orders',
            question: 'lists the orders',
            verdict: 'failed',
            problem: expect.stringContaining('did not print 1'),
          },
          {
            id: 'gone',
            question: 'takes an operation that is gone for gone',
            verdict: 'failed',
            problem: 'it ended with code 0 without a request',
          },
        ],
        passed: 0,
        of: 2,
      },
    });
    expect(readFileSync(junit, 'utf8')).toContain('<testsuites tests="2" failures="2" skipped="0">');
    const page = readFileSync(html, 'utf8');
    expect(page).toContain('0 of 2 questions passed');
    expect(page).toContain('GET /v1/&lt;b&gt; HTTP/1.1');
    expect(page).not.toMatch(/<b>|src=|href=|pst_test_/);
  });
});
