import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { runCommand } from '../../server/test/support/command.ts';
import { questions } from '../src/check-client/questions/all.ts';
import { NO_LIMIT, problemsOf } from './support/problems-of.ts';

const client = (name: string) => fileURLToPath(new URL(`./clients/${name}`, import.meta.url));

const notTried = (...ids: string[]) => Object.fromEntries(ids.map((id) => [id, 'not tried']));
const events = questions.flatMap(({ id, task }) => (/events|webhooks/.test(task) ? id : []));

/** Every question for every client of ours; what each is known not to pass. */
describe.concurrent('check-client', () => {
  it('finds that our own client says nothing of what is deprecated, and keeps no list to revalidate', async () => {
    const limit = ['--timeout', String(NO_LIMIT)];
    const command = ['--', process.execPath, client('own.ts')];
    const { code, stdout, stderr } = await runCommand(['check-client', ...limit, ...command]);
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
    expect(await problemsOf([process.execPath, client('fetch.js')])).toEqual({
      'int64-read': 'it did not print 9007199254740993',
      'retry-after-date': expect.stringMatching(/^it tried again \d+ ms too early$/),
      ...notTried(...events),
    });
  });

  it('finds that a shell script with curl retries what is final, and doubles an order', async () => {
    expect(await problemsOf(['sh', client('curl.sh')])).toEqual({
      'conflict-is-final': '3 requests arrived instead of 1',
      'refused-key-is-final': '3 requests arrived instead of 1',
      'lost-answer': 'there are 2 new orders',
      deprecation: 'it said nothing of it on standard error',
      gone: '3 requests arrived instead of 1',
      ...notTried('pages', 'etag', ...events),
    });
  });

  it("finds that Python's standard library tries nothing again", async () => {
    expect(await problemsOf(['python3', client('standard_library.py')])).toEqual({
      'lost-answer': 'it gave up, and cannot know whether the order is placed',
      'dropped-read': 'it ended with code 1',
      'reset-connection': 'it ended with code 1',
      'retry-after': 'it did not try again',
      'retry-after-date': 'it did not try again',
      deprecation: 'it said nothing of it on standard error',
      ...notTried('etag', ...events),
    });
  });

  it.for(['true', 'false'])('lets %s, which asks for nothing, pass nothing', async (program) => {
    expect(Object.keys(await problemsOf([program]))).toHaveLength(questions.length - 1);
  });
});
