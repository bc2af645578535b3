import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { runCommand } from '../../server/test/support/command.ts';
import { questions } from '../src/client/questions/all.ts';
import { HANGING_SECONDS, hanging, NO_LIMIT, problemsOf, TIMEOUT_MS } from './support/problems-of.ts';

const client = (name: string) => fileURLToPath(new URL(`./clients/${name}`, import.meta.url));

const notTried = (...ids: string[]) => Object.fromEntries(ids.map((id) => [id, 'not tried']));
const events = questions.flatMap(({ id, task }) => (/events|webhooks/.test(task) ? id : []));

/** The rows of the table in README.md, and the questions behind them. */
const tableRows: Readonly<Record<string, readonly string[]>> = {
  'preserves int64 ids': ['int64-read', 'int64-pages', 'int64-pets', 'int64-write'],
  'parses JSON': ['unusual-json'],
  'retries without duplicating the order': ['lost-answer'],
  'treats 409 as final': ['conflict-is-final'],
  'honors `Retry-After`': ['retry-after', 'rate-limit', 'retry-after-date'],
  'handles a lost response to a cancel': ['lost-cancel'],
  'times out': ['never-responds'],
};

const isFailed = (problem: unknown) => problem !== undefined && problem !== 'not tried';

/** Expects the column of README.md to say yes where no question behind it is failed, and the score. */
function expectColumn(column: number, problems: Readonly<Record<string, unknown>>) {
  const readme = readFileSync(new URL('../../README.md', import.meta.url), 'utf8');
  const cellOf = (row: string) =>
    readme
      .split('\n')
      .find((line) => line.startsWith(`| ${row} |`))
      ?.split(' | ')
      [column]?.replace(/ \|$/, '');
  for (const [row, ids] of Object.entries(tableRows))
    expect([row, cellOf(row) === 'yes']).toEqual([row, ids.every((id) => !isFailed(problems[id]))]);
  const notTriedCount = Object.values(problems).filter((problem) => problem === 'not tried').length;
  const passed = questions.length - Object.keys(problems).length;
  expect(cellOf('checks passed')).toBe(`${passed} of ${questions.length - notTriedCount}`);
}

/** Every question for each of our clients, with those that it is known to fail. */
describe.concurrent('check-client', { timeout: TIMEOUT_MS }, () => {
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
    const ids = questions.map(({ id }) => id).filter((id) => id !== 'large-list' && !hanging.has(id));
    const problems = await problemsOf([process.execPath, client('fetch.js')], ids);
    expect(problems).toEqual({
      'int64-read': 'it did not print 9007199254740993',
      'int64-pages': 'it did not print 9007199254740993',
      'int64-pets': 'it did not print 9007199254740993',
      'etag-changed': expect.stringMatching(
        /^it printed order \d+, which was cancelled before its second request$/,
      ),
      'lost-cancel': 'it reported a cancelled order as failed',
      'retry-after-date': expect.stringMatching(/^it retried \d+ ms too early$/),
      'rate-limit': 'it did not retry',
      ...notTried(...events),
    });
    expectColumn(2, { ...problems, ...Object.fromEntries([...hanging].map((id) => [id, 'it hangs'])) });
  });

  it('finds that a shell script with curl retries final errors and places an order twice', async () => {
    const curl = ['sh', client('curl.sh')];
    // curl 7.88 waits for hours if the date in `Retry-After` is over.
    const dated = await problemsOf(curl, ['retry-after-date'], HANGING_SECONDS);
    const ids = questions
      .map(({ id }) => id)
      .filter((id) => id !== 'large-list' && id !== 'retry-after-date');
    const problems = { ...dated, ...(await problemsOf(curl, ids)) };
    expect(problems).toEqual({
      'unusual-json': expect.stringMatching(/^it did not print Rex /),
      'conflict-is-final': 'it sent 3 requests instead of 1',
      'missing-is-final': 'it sent 3 requests instead of 1',
      'rejected-key-is-final': 'it sent 3 requests instead of 1: GET /v1/store/orders',
      'rejected-cancel': 'it sent 3 requests instead of 1: DELETE /v1/store/orders/2',
      'rejected-order-is-final': 'it sent 3 requests instead of 1',
      'lost-cancel': 'it reported a cancelled order as failed',
      'lost-answer': '2 orders were placed',
      'retry-after-date': 'it did not retry after a date that has passed',
      'dropped-change': 'it retried without an Idempotency-Key',
      'busy-order': 'it exited with code 0, and no order was placed',
      'order-never-responds': 'it retried without an Idempotency-Key',
      deprecation: 'no warning on standard error',
      gone: 'it sent 3 requests instead of 1',
      ...notTried(
        'pages',
        'int64-pages',
        'pages-interrupted',
        'cursor-expires',
        'etag',
        'etag-changed',
        ...events,
      ),
    });
    expectColumn(1, problems);
  });

  it("finds that Python's standard library never retries", async () => {
    const problems = await problemsOf(['python3', client('standard_library.py')]);
    expect(problems).toEqual({
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
    expectColumn(3, problems);
  });

  it.for(['true', 'false'])('does not pass %s, which sends no requests', async (program) => {
    expect(Object.keys(await problemsOf([program]))).toHaveLength(questions.length - 1);
  });
});
