import { availableParallelism } from 'node:os';
import type { Operation } from '../../../acceptance/src/bugs/operations.ts';
import { UsageError } from '../../../server/src/config/usage-error.ts';
import { chosenBugs, type NumberedBug, titleOf } from '../check-suite/numbered.ts';
import { metText, reportOf, reportOfUnusable } from '../check-suite/report.ts';
import { rightService, runSuite, type SuiteRun, spared } from '../check-suite/run-suite.ts';
import { sideBySide } from '../check-suite/side-by-side.ts';
import { asJson } from '../exit-codes.ts';
import { print, tell, waiting } from '../output.ts';
import type { Call } from '../place.ts';
import { numberOf, secondsOf } from '../report/read-flags.ts';
import { checkReportFiles, writeReports } from '../report/write-reports.ts';
import { endedBySignals } from '../run-command.ts';

/** The suite fails, or is not steady, where nothing is wrong. */
const UNUSABLE = 3;

/** Runs somebody's test suite against the right service, and then against others that are each wrong in one place. */
export const checkSuite = (call: Call): Promise<void> => endedBySignals(() => check(call));

async function check(call: Call): Promise<void> {
  const { args: command, values } = call;
  const bugs = chosenBugs(values);
  const reveal = values.reveal === true;
  if (values.list === true)
    return tell(bugs.map((bug) => titleOf(bug, reveal)).join('\n'), bugs.map(plain), call);
  if (command.length === 0)
    throw new UsageError('check-suite needs a command: petstore check-suite -- COMMAND…');
  const seconds = secondsOf(values);
  checkReportFiles(values);
  const jobs = numberOf('jobs', values.jobs, availableParallelism());
  const say = values.json === true ? console.error : console.log;

  const called = new Set<Operation | undefined>();
  const right = rightService(called);
  const rightRuns = sideBySide(
    [right, right],
    jobs,
    (service) => runSuite(command, seconds, service),
    () => {},
  );
  const twice = await waiting('the suite runs against the right service', rightRuns);
  const failed = twice.filter(({ code }) => code !== 0);
  const [wrong] = failed;
  if (wrong) {
    process.exitCode = UNUSABLE;
    const what = failed.length === 2 ? 'fails' : 'is not steady: of two runs it fails one';
    const why = `the suite ${what} against the right service: it ${wrong.end}`;
    const said = textOf(wrong);
    console.error(
      values.json === true
        ? asJson({ code: 'suite_failed' }, `${said}${why}`, UNUSABLE)
        : `${said}petstore: ${why}`,
    );
    return writeReports(reportOfUnusable(command, why, said), values);
  }

  say(`the suite passes against the right service, twice; ${bugs.length} bugs to be noticed`);
  const runs = await sideBySide(
    bugs,
    jobs,
    async (bug) => (called.has(bug.operation) ? runSuite(command, seconds, bug) : spared),
    (bug, run) =>
      say(`${isNoticed(run) ? 'noticed' : 'MISSED '}  ${titleOf(bug, reveal)}${whyMissed(bug, run)}`),
  );
  const results = bugs.map((bug, at) => ({ bug, run: runs[at] as SuiteRun }));
  const noticed = runs.filter(isNoticed).length;
  const score = `${noticed} of ${bugs.length} bugs were noticed`;
  say(score);
  if (values.json === true) {
    const told = results.map(({ bug, run }) => ({ ...plain(bug), noticed: isNoticed(run) }));
    await print(`${JSON.stringify({ bugs: told, noticed, of: bugs.length }, null, 2)}\n`);
  }
  writeReports(reportOf(command, score, results, reveal), values);
  if (noticed < bugs.length) process.exitCode = 1;
}

/** Whoever hangs does not pass either. */
const isNoticed = ({ code }: SuiteRun): boolean => code !== 0;

const plain = ({ id, level, operation, summary }: NumberedBug) => ({ id, level, operation, summary });

function whyMissed({ hint }: NumberedBug, run: SuiteRun): string {
  if (isNoticed(run)) return '';
  return `\n         It ${metText(run)}. Hint: ${hint}`;
}

/** What a suite that failed has to say: the end of it, where suites say what is wrong. */
function textOf({ stdout, stderr }: SuiteRun): string {
  const text = `${stdout}${stderr}`.trimEnd();
  return text === '' ? '' : `${text.slice(-4_000)}\n`;
}
