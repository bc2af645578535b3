import { expect, it } from 'vitest';
import type { Outcome } from '../src/client/question.ts';
import { questions } from '../src/client/questions/all.ts';

const question = questions.find(({ id }) => id === 'deprecation');
const outcome = (stderr: string) => ({ code: 0, printed: [], expected: [], stderr }) as unknown as Outcome;
/** The problem in the first round, whose response is deprecated, or in the second, whose response is not. */
function problemIn(first: string, second: string): string | undefined {
  return question?.problem(outcome(first), []) ?? question?.problem(outcome(second), [outcome(first)]);
}

const warning = 'GET /v1/pets/1 is deprecated; sunset: Sat, 04 Oct 2031 00:00:00 GMT';
const always = 'it warned about a response without `Deprecation`';
const wrongDate = 'the warning names a date that no response had';

it.each([
  ['warns', warning, '', undefined],
  ['always warns', warning, warning, always],
  [
    'always warns, with the date on another line',
    `warning: deprecated endpoint\n${warning}`,
    'warning: deprecated endpoint',
    always,
  ],
  ['names a fixed date', `${warning}\ndeprecated until Thu Dec 05 2030`, '', wrongDate],
  ['names a fixed date in words', 'GET /v1/pets/1 is deprecated until Dec 5, 2030', '', wrongDate],
  ...[
    '(node:2030) [DEP0040] DeprecationWarning: The `punycode` module is deprecated.',
    'client.py:2030: DeprecationWarning: datetime.datetime.utcnow() is deprecated',
    'WARNING: A terminally deprecated method in sun.misc.Unsafe has been called',
    'Deprecated: Function utf8_encode() is deprecated in /srv/client.php on line 12',
  ].map((line) => [`has a runtime that prints ${line}`, `${line}\n${warning}`, line, undefined] as const),
] as const)(
  'the verdict on warnings of deprecation is right for a client that %s',
  (_, first, second, problem) => {
    expect(problemIn(first, second)).toBe(problem);
  },
);
