import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { runProgram } from '../support/program.ts';

const client = (name: string) => fileURLToPath(new URL(`./clients/${name}`, import.meta.url));

/** Runs the check, and gives what it says of each question that was not passed. */
async function check(...command: string[]) {
  const { code, stdout, stderr } = await runProgram(['check-client', '--', ...command]);
  const lines = stdout.trimEnd().split('\n');
  return { code, stderr, problems: lines.filter((line) => !/^yes/.test(line)), count: lines.length - 1 };
}

describe.concurrent('check-client', () => {
  it('finds that fetch with JSON.parse rounds, and nothing else', async () => {
    expect(await check(process.execPath, client('fetch.js'))).toEqual({
      code: 1,
      stderr: 'petstore check-client --help tells what a client is asked to do\n',
      count: 23,
      problems: [
        'NO   keeps int64 when it reads: it did not print 9007199254740993',
        '22 of 23 questions passed',
      ],
    });
  });

  it('finds that a shell script with curl retries what is final, and doubles an order', async () => {
    const { code, problems } = await check('sh', client('curl.sh'));
    expect([code, problems]).toEqual([
      1,
      [
        'NO   treats 409 as final: 3 requests arrived instead of 1',
        'NO   treats 401 as final: 3 requests arrived instead of 1',
        'NO   retries a lost answer without a second order: there are 2 new orders',
        ' -   follows pages to the end while orders change',
        ' -   revalidates with ETag',
        'NO   says that an operation is deprecated: it said nothing of it on standard error',
        'NO   takes an operation that is gone for gone: 3 requests arrived instead of 1',
        '16 of 21 questions passed',
      ],
    ]);
  });

  it("finds that Python's standard library tries nothing again", async () => {
    const { code, problems } = await check('python3', client('standard_library.py'));
    expect([code, problems]).toEqual([
      1,
      [
        'NO   retries a lost answer without a second order: it gave up, and cannot know whether the order is placed',
        'NO   tries a dropped read again: it ended with code 1',
        'NO   tries again after a reset connection: it ended with code 1',
        'NO   honours Retry-After: it did not try again',
        ' -   revalidates with ETag',
        'NO   says that an operation is deprecated: it said nothing of it on standard error',
        '17 of 22 questions passed',
      ],
    ]);
  });

  it('finds that our own client says nothing of what is deprecated, and keeps no list to revalidate', async () => {
    const { code, problems } = await check(process.execPath, client('own.ts'));
    expect([code, problems]).toEqual([
      1,
      [
        ' -   revalidates with ETag',
        'NO   says that an operation is deprecated: it said nothing of it on standard error',
        '21 of 22 questions passed',
      ],
    ]);
  });

  it('takes a program that does nothing for no good client', async () => {
    const { code, problems } = await check('true');
    expect(code).toBe(1);
    expect(problems).toContain('NO   lists the orders: it did not print 1');
    expect(problems).toContain('NO   survives a 204 without a body: 0 requests arrived instead of 1');
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
