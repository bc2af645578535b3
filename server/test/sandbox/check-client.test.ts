import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { questions } from '../../src/commands/check-client/questions.ts';
import { putQuestion } from '../../src/commands/check-client/run-client.ts';
import { openWatchedStore } from '../../src/commands/check-client/watched-store.ts';
import { runProgram } from '../support/program.ts';

const client = (name: string) => fileURLToPath(new URL(`./clients/${name}`, import.meta.url));

/** Puts the questions in this process, but not the array of 100,000, and gives what is said of each not passed. */
async function check(...command: string[]) {
  await using store = await openWatchedStore();
  const problems: Record<string, string> = {};
  for (const question of questions.filter(({ dataSet }) => dataSet?.orders !== 100_000)) {
    const verdict = await putQuestion(store, command, question);
    if (verdict !== 'passed') problems[question.ask] = verdict === 'not tried' ? verdict : verdict.problem;
  }
  return problems;
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
        '21 of 22 questions passed',
      ],
    });
    expect(lines).toContain('yes  reads an array of 100,000');
  });

  it('finds that fetch with JSON.parse rounds, and nothing else', async () => {
    expect(await check(process.execPath, client('fetch.js'))).toEqual({
      'keeps int64 when it reads': 'it did not print 9007199254740993',
    });
  });

  it('finds that a shell script with curl retries what is final, and doubles an order', async () => {
    expect(await check('sh', client('curl.sh'))).toEqual({
      'treats 409 as final': '3 requests arrived instead of 1',
      'treats 401 as final': '3 requests arrived instead of 1',
      'retries a lost answer without a second order': 'there are 2 new orders',
      'follows pages to the end while orders change': 'not tried',
      'revalidates with ETag': 'not tried',
      'says that an operation is deprecated': 'it said nothing of it on standard error',
      'takes an operation that is gone for gone': '3 requests arrived instead of 1',
    });
  });

  it("finds that Python's standard library tries nothing again", async () => {
    expect(await check('python3', client('standard_library.py'))).toEqual({
      'retries a lost answer without a second order':
        'it gave up, and cannot know whether the order is placed',
      'tries a dropped read again': 'it ended with code 1',
      'tries again after a reset connection': 'it ended with code 1',
      'honours Retry-After': 'it did not try again',
      'revalidates with ETag': 'not tried',
      'says that an operation is deprecated': 'it said nothing of it on standard error',
    });
  });

  it('takes a program that does nothing for no good client', async () => {
    expect(await check('true')).toMatchObject({
      'lists the orders': 'it did not print 1',
      'survives a 204 without a body': '0 requests arrived instead of 1',
    });
  });

  it('says what it needs, and which program it cannot run', async () => {
    expect((await runProgram(['check-client', '--help'])).stdout).toContain('PETSTORE_TASK ');
    expect(await runProgram(['check-client'])).toMatchObject({
      code: 2,
      stderr: 'petstore: check-client needs a command: petstore check-client -- COMMAND…\n',
    });
    const { code, stderr } = await runProgram(['check-client', '--', '/no/such/program', '--help']);
    expect([code, stderr]).toEqual([2, expect.stringMatching(/^petstore: cannot run the client: /)]);
  });
});
