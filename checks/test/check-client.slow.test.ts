import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { runCommand } from '../../server/test/support/command.ts';
import { questions } from '../src/client/questions/all.ts';
import { NO_LIMIT, problemsOf } from './support/problems-of.ts';

const client = (name: string) => fileURLToPath(new URL(`./clients/${name}`, import.meta.url));

const notTried = (...ids: string[]) => Object.fromEntries(ids.map((id) => [id, 'not tried']));
const events = questions.flatMap(({ id, task }) => (/events|webhooks/.test(task) ? id : []));

/** Every question for each of our clients, with those that it is known to fail. */
describe.concurrent('check-client', () => {
  it('finds that our own client ignores deprecation headers and caches no list to revalidate', async () => {
    const limit = ['--timeout', String(NO_LIMIT)];
    const command = ['--', process.execPath, client('own.ts')];
    const { code, stdout, stderr } = await runCommand(['check-client', ...limit, ...command]);
    const lines = stdout.trimEnd().split('\n');
    expect(lines).toHaveLength(questions.length + 2);
    expect({ code, stderr, problems: lines.filter((line) => !/^PASS/.test(line)) }).toEqual({
      code: 1,
      stderr: 'Run petstore check-client --help to see what each task expects.\n',
      problems: [
        'SKIP  revalidates with ETag',
        'SKIP  reads the list again when it has changed',
        'FAIL  warns about a deprecated operation: no warning on standard error',
        expect.stringMatching(/^Fix first: deprecation\. /),
        `${questions.length - 3} of ${questions.length - 2} checks passed`,
      ],
    });
    expect(lines).toContain('PASS  reads an array of 100,000 orders');
  });

  it('finds that fetch with JSON.parse rounds integers and ignores Retry-After dates', async () => {
    // It has no timeout, so it hangs without a response.
    const ids = questions.map(({ id }) => id).filter((id) => id !== 'large-list' && id !== 'never-responds');
    expect(await problemsOf([process.execPath, client('fetch.js')], ids)).toEqual({
      'int64-read': 'it did not print 9007199254740993',
      'etag-changed': expect.stringMatching(
        /^it printed order \d+, which was cancelled before its second request$/,
      ),
      'lost-cancel': 'it reported a cancelled order as failed',
      'retry-after-date': expect.stringMatching(/^it retried \d+ ms too early$/),
      'rate-limit': 'it did not retry',
      ...notTried(...events),
    });
  });

  it('finds that a shell script with curl retries final errors and places an order twice', async () => {
    expect(await problemsOf(['sh', client('curl.sh')])).toEqual({
      'conflict-is-final': 'it sent 3 requests instead of 1',
      'missing-is-final': 'it sent 3 requests instead of 1',
      'refused-key-is-final': 'it sent 3 requests instead of 1: GET /v1/store/orders',
      'lost-cancel': 'it reported a cancelled order as failed',
      'lost-answer': '2 orders were placed',
      'dropped-change': 'it retried without an Idempotency-Key',
      deprecation: 'no warning on standard error',
      gone: 'it sent 3 requests instead of 1',
      ...notTried('pages', 'cursor-expires', 'etag', 'etag-changed', ...events),
    });
  });

  it("finds that Python's standard library never retries", async () => {
    expect(await problemsOf(['python3', client('standard_library.py')])).toEqual({
      'lost-cancel': 'it gave up without knowing whether the order was cancelled',
      'lost-answer': 'it gave up without knowing whether the order was placed',
      'dropped-read': 'it exited with code 1',
      'reset-connection': 'it exited with code 1',
      'retry-after': 'it did not retry',
      'retry-after-date': 'it did not retry',
      'rate-limit': 'it did not retry',
      deprecation: 'no warning on standard error',
      ...notTried('etag', 'etag-changed', ...events),
    });
  });

  it.for(['true', 'false'])('does not pass %s, which sends no requests', async (program) => {
    expect(Object.keys(await problemsOf([program]))).toHaveLength(questions.length - 1);
  });
});
