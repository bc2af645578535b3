import { UsageError } from '../../../server/src/config/usage-error.ts';
import type { Bug } from '../bugs/bug.ts';
import type { Operation } from '../bugs/operations.ts';
import type { RunLimits } from '../engine/run-command.ts';
import { rightService, runSuite, type SuiteRun, skipped } from './run-suite.ts';
import { sideBySide } from './side-by-side.ts';
import { NotSteady, verdictOf } from './verdict.ts';

const CAUSES =
  'Most likely, a test depends on changes that another test makes, on their order, or on random or current values. ' +
  'Reset the store before each test (POST $PETSTORE_V2_URL/sandbox/reset with {"dataSet":"default"}), and fix the seed.';

/** Operations that the suite calls, and the seconds of its longest run. */
export interface Baseline {
  readonly called: ReadonlySet<Operation | undefined>;
  readonly seconds: number;
}

/** Runs the suite twice against the correct service, where it must pass. */
export async function testRightService(
  command: readonly string[],
  limits: RunLimits,
  jobs: number,
): Promise<Baseline> {
  const called = new Set<Operation | undefined>();
  const right = rightService(called);
  let seconds = 0;
  const timed = async () => {
    const started = performance.now();
    const run = await runSuite(command, limits, right);
    seconds = Math.max(seconds, (performance.now() - started) / 1000);
    return run;
  };
  const runs = await sideBySide([1, 2], jobs, timed, () => {});
  const failed = runs.filter(({ code }) => code !== 0);
  const [run] = failed;
  if (!run) return { called, seconds };
  // Exit codes of shells for a program that cannot be started.
  if (called.size === 0 && (run.code === 126 || run.code === 127))
    throw new UsageError(`cannot run ${command.join(' ')}: ${run.stderr.trim() || run.end}`);
  if (failed.length === runs.length)
    throw new NotSteady(
      'suite_failed',
      `the suite fails against the correct service: it ${run.end}${testsOf(run)}`,
      run,
    );
  throw new NotSteady(
    'suite_not_steady',
    `the suite is not steady: one of two runs failed against the correct service: it ${run.end}${testsOf(run)}. ${CAUSES}`,
    run,
  );
}

/**
 * Runs the suite against a bug. A failure counts once it repeats: a suite that met the bug twice and failed once did
 * not fail because of the bug.
 */
export async function testBug(
  command: readonly string[],
  limits: RunLimits,
  bug: Bug,
  { called }: Baseline,
): Promise<SuiteRun> {
  if (!called.has(bug.operation)) return skipped;
  const run = await runSuite(command, limits, bug);
  if (verdictOf(run) !== 'noticed') return run;
  const again = await runSuite(command, limits, bug);
  if (verdictOf(again) !== 'missed') return run;
  throw new NotSteady(
    'suite_not_steady',
    `the suite is not steady: against the same service, one run failed and one passed${testsOf(run)}. ${CAUSES}`,
    run,
  );
}

/** Runs the suite once more against the correct service: one that has begun to fail noticed nothing. */
export async function testRightServiceAgain(command: readonly string[], limits: RunLimits): Promise<void> {
  const run = await runSuite(command, limits, rightService(new Set()));
  if (run.code === 0) return;
  throw new NotSteady(
    'suite_not_steady',
    `the suite is not steady: against the correct service, it passed twice and then ${run.end}${testsOf(run)}. ${CAUSES}`,
    run,
  );
}

const testsOf = ({ failedTests: [first, ...more] }: SuiteRun): string => {
  if (first === undefined) return '';
  return ` (failed test: ${first}${more.length > 0 ? `, and ${more.length} more` : ''})`;
};
