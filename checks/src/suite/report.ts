import { type Entry, type Report, tailOf } from '../engine/report.ts';
import { exerciseOf } from './exercises.ts';
import type { NumberedBug } from './numbered.ts';
import type { SuiteRun } from './run-suite.ts';
import { type FlakySuite, type SuiteVerdict, verdictOf } from './verdict.ts';
import { wireOf } from './wire-of.ts';

export interface Result {
  readonly bug: NumberedBug;
  readonly run: SuiteRun;
}

const title = 'Test suite check';
const badge = 'suite check';

export function reportOf(
  command: readonly string[],
  score: string,
  results: readonly Result[],
  reveal: boolean,
): Report {
  const entries = results.map((result) => entryOf(result, reveal));
  const first = firstToFind(results);
  return {
    title,
    command: command.join(' '),
    score,
    badge,
    entries,
    notes: notesOn(results),
    ...(first ? { first: idOf(first.bug, reveal) } : {}),
  };
}

/** The report when the suite fails against the correct service: no bug was tested. */
export function reportOfUnusable(command: readonly string[], { message, run }: FlakySuite): Report {
  const entry: Entry = {
    id: 'right-service',
    title: 'The correct service, without a bug',
    verdict: 'failed',
    result: message,
    expectation: 'The suite passes every time.',
    wire: [],
    printed: outputOf(run),
  };
  return {
    title,
    command: command.join(' '),
    score: 'No verdict',
    badge,
    entries: [entry],
    isUnusable: true,
  };
}

const levels = ['easy', 'medium', 'hard'] as const;
const order: readonly SuiteVerdict[] = ['failed without meeting it', 'timed out', 'missed', 'not met'];

/** The bug to look at first. A bug that was met needs only an assertion. */
export function firstToFind(results: readonly Result[]): Result | undefined {
  const rank = ({ bug, run }: Result) => 10 * order.indexOf(verdictOf(run)) + levels.indexOf(bug.level);
  return results
    .filter(({ run }) => verdictOf(run) !== 'noticed')
    .reduce<Result | undefined>(
      (best, result) => (best && rank(best) <= rank(result) ? best : result),
      undefined,
    );
}

/** Observed behavior, in a few words. */
export function describeRun(run: SuiteRun): string {
  const times = run.met === 1 ? 'once' : `${run.met} times`;
  const tests = run.failedTests.length > 0 ? `; failed: ${run.failedTests.join(', ')}` : '';
  return {
    noticed: `triggered ${times}, ${run.end}${tests}`,
    missed: `triggered ${times}, ${run.end}${tests}`,
    'not met': '',
    'failed without meeting it': `${run.end}, though every response was correct${tests}`,
    'timed out': `triggered ${times}, ${run.end}`,
  }[verdictOf(run)].replace('triggered 0 times, ', '');
}

/** Remarks that concern several bugs. */
export function notesOn(results: readonly Result[]): string[] {
  const withVerdict = (verdict: SuiteVerdict) => results.filter(({ run }) => verdictOf(run) === verdict);
  const isCalled = (operation: string) =>
    results.some(({ bug, run }) => bug.operation === operation && run.end !== 'does not call this operation');
  const operations = [...new Set(results.map(({ bug }) => bug.operation))];
  const notCalled = operations.filter((operation) => !isCalled(operation));
  return [
    ...(notCalled.length > 0 ? [`Never called: ${notCalled.join(', ')}.`] : []),
    ...(withVerdict('missed').length > 0
      ? ['Missed: the bug was in a response, but no test failed. Add an assertion.']
      : []),
    ...(withVerdict('missed').some(({ run }) => run.failedTests.length > 0)
      ? [
          'Missed, though tests failed: the suite exited with 0. It must exit with another code if a test fails.',
        ]
      : []),
    ...(withVerdict('not met').length > 0 ? ['Not met: no request triggered the bug. Add a test.'] : []),
    ...(withVerdict('failed without meeting it').length > 0
      ? [
          'Failed without meeting it: every response was correct, so the suite is flaky. Run it several times.',
        ]
      : []),
    ...(withVerdict('timed out').length > 0
      ? ['Timed out: give each test a time limit of its own, or raise --timeout.']
      : []),
  ];
}

const idOf = ({ id, number }: NumberedBug, reveal: boolean) => (reveal ? id : String(number));

function entryOf({ bug, run }: Result, reveal: boolean): Entry {
  const verdict = verdictOf(run);
  const isNoticed = verdict === 'noticed';
  const place = `Bug ${bug.number} (${bug.level})`;
  const exercise = exerciseOf(bug.id);
  return {
    id: idOf(bug, reveal),
    title: reveal ? `${place}: ${bug.summary}` : place,
    group: bug.operation,
    ...(exercise === undefined ? {} : { exercise }),
    verdict: isNoticed ? 'passed' : 'failed',
    label: verdict,
    result: describeRun(run),
    expectation: isNoticed ? '' : bug.hint,
    expectationLabel: 'Hint',
    // The exchange reveals the bug: hidden until the suite notices it.
    wire: isNoticed || reveal ? run.effects.map(wireOf) : [],
    ...(run.code === 0 ? {} : { printed: outputOf(run) }),
  };
}

/** The end of the output, where test runners print their failures. */
export const outputOf = ({ stdout, stderr }: SuiteRun): string => tailOf(`${stdout}${stderr}`);
