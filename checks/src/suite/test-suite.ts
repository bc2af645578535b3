import { randomInt } from 'node:crypto';
import { UsageError } from '../../../server/src/config/usage-error.ts';
import type { Bug } from '../bugs/bug.ts';
import type { Operation } from '../bugs/operations.ts';
import type { RunLimits } from '../engine/run-command.ts';
import { runConcurrently } from './run-concurrently.ts';
import { correctService, runSuite, type SuiteRun, skippedRun } from './run-suite.ts';
import { FlakySuite, verdictOf } from './verdict.ts';

const CAUSES =
  'Most likely, a test depends on changes that another test makes, on their order, or on random or current values. ' +
  'Reset the store before each test (POST $PETSTORE_V2_URL/sandbox/reset with {"dataSet":"default"}), and fix the seed. ' +
  'If the suite writes to a fixed path or port, add --jobs 1.';

/**
 * Runs against the correct service while bugs are confirmed. A suite that fails at random, with probability p, is credited
 * with one of m bugs that it meets if both runs against that bug fail (p²) and all other runs pass. With 8 controls, this
 * happens in at most 1 of 70 checks, whatever p and m.
 */
const CONTROLS = 8;
/** If the suite noticed at most this number of bugs, each is confirmed twice: a suite that fails in chosen runs rarely hits all of those. */
const MAX_CONFIRMED_TWICE = 3;

/** Runs that follow the first two, if the suite notices every bug that it can meet. */
export function runsLeft(bugs: number): number {
  return bugs === 0 ? 0 : bugs + confirmationsOf(bugs) + CONTROLS;
}

const confirmationsOf = (noticed: number) => (noticed <= MAX_CONFIRMED_TWICE ? 2 * noticed : noticed);

/** Operations that the suite calls, and the seconds of its longest run. */
export interface Baseline {
  readonly called: ReadonlySet<Operation | undefined>;
  readonly seconds: number;
}

/** Runs the suite twice against the correct service, where it must pass. */
export async function testCorrectService(
  command: readonly string[],
  limits: RunLimits,
  jobs: number,
): Promise<Baseline> {
  const called = new Set<Operation | undefined>();
  const service = correctService(called);
  let seconds = 0;
  const timed = async () => {
    const started = performance.now();
    const run = await runSuite(command, limits, service);
    seconds = Math.max(seconds, (performance.now() - started) / 1000);
    return run;
  };
  const runs = await runConcurrently([1, 2], jobs, timed, () => {});
  const failed = runs.filter(({ code }) => code !== 0);
  const [run] = failed;
  if (!run) return { called, seconds };
  // Exit codes of shells for a program that cannot be started.
  if (called.size === 0 && (run.code === 126 || run.code === 127))
    throw new UsageError(`cannot run ${command.join(' ')}: ${run.stderr.trim() || run.end}`);
  if (failed.length === runs.length)
    throw new FlakySuite(
      'suite_failed',
      `the suite fails against the correct service: it ${run.end}${testsOf(run)}`,
      run,
    );
  throw flakySuite(`one of two runs failed against the correct service: it ${run.end}${testsOf(run)}`, run);
}

/** Runs the suite once against a bug, if it calls the operation. */
export async function testBug(
  command: readonly string[],
  limits: RunLimits,
  bug: Bug,
  { called }: Baseline,
): Promise<SuiteRun> {
  return called.has(bug.operation) ? await runSuite(command, limits, bug) : skippedRun;
}

/** A bug that the suite met in a run that failed. */
interface Noticed {
  readonly bug: Bug;
  readonly run: SuiteRun;
}

/**
 * Runs the suite against each noticed bug again, between runs against the correct service, in random order: a suite that
 * fails at random, or in every run after a certain one, then gives a different result.
 */
export async function confirm(
  command: readonly string[],
  limits: RunLimits,
  noticed: readonly Noticed[],
  { jobs, onDone }: { jobs: number; onDone: (done: number, of: number) => void },
): Promise<void> {
  if (noticed.length === 0) return;
  const controls = Array.from({ length: CONTROLS }, () => undefined);
  const again = Array.from(
    { length: confirmationsOf(noticed.length) },
    (_, i) => noticed[i % noticed.length],
  );
  const confirmations = shuffled([...again, ...controls]);
  let done = 0;
  const repeat = async (bug: Noticed | undefined) => {
    if (bug) await mustNoticeAgain(command, limits, bug);
    else await mustPassAgain(command, limits);
  };
  await runConcurrently(confirmations, jobs, repeat, () => onDone(++done, confirmations.length));
}

async function mustNoticeAgain(command: readonly string[], limits: RunLimits, { bug, run }: Noticed) {
  const again = await runSuite(command, limits, bug);
  const verdict = verdictOf(again);
  // Random data may miss the bug, and a bug may make a test hang: neither contradicts the first run.
  if (verdict === 'noticed' || verdict === 'not met' || verdict === 'timed out') return;
  const failed = verdict === 'missed' ? run : again;
  const what =
    verdict === 'missed'
      ? 'against the same service, one run failed and one passed'
      : 'a run failed, though every response was correct';
  throw flakySuite(`${what}${testsOf(failed)}`, failed);
}

async function mustPassAgain(command: readonly string[], limits: RunLimits): Promise<void> {
  const run = await runSuite(command, limits, correctService(new Set()));
  if (run.code === 0) return;
  throw flakySuite(`against the correct service, it passed twice and then ${run.end}${testsOf(run)}`, run);
}

const flakySuite = (what: string, run: SuiteRun) =>
  new FlakySuite('suite_not_steady', `the suite is flaky: ${what}. ${CAUSES}`, run);

function shuffled<T>(items: readonly T[]): T[] {
  const left = [...items];
  return items.map(() => left.splice(randomInt(left.length), 1)[0] as T);
}

const testsOf = ({ failedTests: [first, ...more] }: SuiteRun): string => {
  if (first === undefined) return '';
  return ` (failed test: ${first}${more.length > 0 ? `, and ${more.length} more` : ''})`;
};
