import { availableParallelism } from 'node:os';
import {
  type NumberedBug,
  type Selection,
  selectBugs,
  summarizeBug,
  titleOf,
  topics,
} from '../../../checks/src/suite/numbered.ts';
import {
  describeRun,
  firstToFind,
  notesOn,
  outputOf,
  type Result,
  reportOf,
  reportOfUnusable,
} from '../../../checks/src/suite/report.ts';
import { runConcurrently } from '../../../checks/src/suite/run-concurrently.ts';
import type { SuiteRun } from '../../../checks/src/suite/run-suite.ts';
import { confirm, runsLeft, testBug, testCorrectService } from '../../../checks/src/suite/test-suite.ts';
import { FlakySuite, verdictOf } from '../../../checks/src/suite/verdict.ts';
import { UsageError } from '../../../server/src/config/usage-error.ts';
import { numberOf } from '../check-flags.ts';
import type { Call } from '../command-group.ts';
import { printResult, withElapsedTime } from '../output.ts';
import { type StartedCheck, startCheck } from '../start-check.ts';

/** Runs a test suite against the correct service, then against services with one planted bug each. */
export async function checkSuite(call: Call): Promise<number> {
  const { args: command, values, stderr } = call;
  const bugs = selectBugs(selectionOf(values));
  if (values.list === true) {
    await printResult(
      bugs.map((bug) => titleOf(bug, values.reveal === true)).join('\n'),
      bugs.map(summarizeBug),
      call,
    );
    return 0;
  }
  if (command.length === 0)
    throw new UsageError('check-suite requires a command: petstore check-suite -- COMMAND…');
  const jobs = numberOf('jobs', values.jobs, availableParallelism());
  const check = startCheck(call, command);
  try {
    return await testAll(bugs, jobs, call, check);
  } catch (error) {
    if (!(error instanceof FlakySuite)) throw error;
    await check.finish(reportOfUnusable(command, error));
    const output = outputOf(error.run);
    if (output !== '' && values.json === true) error.message = `${output}\n${error.message}`;
    else if (output !== '') stderr.write(`${output}\n`);
    throw error;
  }
}

async function testAll(
  bugs: readonly NumberedBug[],
  jobs: number,
  call: Call,
  { limits, say, estimate, finish }: StartedCheck,
): Promise<number> {
  const { args: command, values } = call;
  const reveal = values.reveal === true;
  const baseline = await withElapsedTime(
    'Running the suite against the correct service',
    testCorrectService(command, limits, jobs),
    call,
  );
  const count = `${bugs.length} ${bugs.length === 1 ? 'bug' : 'bugs'}`;
  const runs = runsLeft(bugs.filter(({ operation }) => baseline.called.has(operation)).length);
  const seconds = Math.ceil((runs * baseline.seconds) / Math.min(jobs, Math.max(runs, 1)));
  say(`The suite passed twice against the correct service. Testing it against ${count}, about ${seconds} s.`);

  let done = 0;
  const results: Result[] = [];
  await runConcurrently(
    bugs,
    jobs,
    (bug) => testBug(command, limits, bug, baseline),
    (bug, run) => {
      results.push({ bug, run });
      say(lineOf({ bug, run }, reveal));
      // If a request had met the bug, the output could give the bug away.
      if (verdictOf(run) === 'failed without meeting it' && run.failedTests.length === 0)
        say(lastLinesOf(run));
      estimate(++done, bugs.length);
    },
  );
  const found = results.filter(({ run }) => verdictOf(run) === 'noticed');
  const noticed = found.length;
  if (noticed > 0) say(`Confirming ${noticed} noticed ${noticed === 1 ? 'bug' : 'bugs'} with repeated runs.`);
  await confirm(command, limits, found, { jobs, onDone: estimate });
  const score = `${noticed} of ${bugs.length} bugs noticed`;
  for (const note of notesOn(results)) say(note);
  const first = firstToFind(results);
  if (first) say(`Fix first: bug ${first.bug.number}. ${first.bug.hint}`);
  say(score);
  const verdicts = results.map(({ bug, run }) => {
    const verdict = verdictOf(run);
    return { ...summarizeBug(bug), noticed: verdict === 'noticed', verdict };
  });
  return finish(reportOf(command, score, results, reveal), { bugs: verdicts, noticed, of: bugs.length });
}

const DEFAULT_DRAW = 12;

function selectionOf({ only, topic, draw, count }: Call['values']): Selection {
  if (count !== undefined && draw === undefined) throw new UsageError('--count requires --draw');
  if (only !== undefined && draw !== undefined) throw new UsageError('use either --only or --draw');
  const known = topics.find((name) => name === topic);
  if (topic !== undefined && !known)
    throw new UsageError(`invalid --topic '${topic}': must be ${topics.join(' or ')}`);
  return {
    only: only === undefined ? undefined : String(only),
    topic: known,
    sample:
      draw === undefined ? undefined : { seed: String(draw), count: numberOf('count', count, DEFAULT_DRAW) },
  };
}

const MAX_PRINTED_LINES = 5;

const lastLinesOf = (run: SuiteRun): string =>
  outputOf(run)
    .split('\n')
    .slice(-MAX_PRINTED_LINES)
    .map((line) => `    ${line}`)
    .join('\n');

/** Of every verdict but `failed without meeting it`. */
const MAX_VERDICT_WIDTH = 'timed out'.length;

function lineOf({ bug, run }: Result, reveal: boolean): string {
  const verdict = verdictOf(run);
  const line = `${verdict.padEnd(MAX_VERDICT_WIDTH)}  ${titleOf(bug, reveal)}`;
  if (verdict === 'noticed') return line;
  const details = [describeRun(run), verdict === 'failed without meeting it' ? '' : `Hint: ${bug.hint}`];
  return `${line}  ${details.filter(Boolean).join('. ')}`;
}
