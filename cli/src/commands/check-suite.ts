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

/** The suite fails, or is not steady, where nothing is wrong. */
const UNUSABLE = 3;

/** Runs somebody's test suite against the right service, and then against others that are each wrong in one place. */
export async function checkSuite(call: Call): Promise<number> {
  const { args: command, values, stdout, stderr } = call;
  const bugs = chosenBugs(values);
  const reveal = values.reveal === true;
  if (values.list === true) {
    await tell(bugs.map((bug) => titleOf(bug, reveal)).join('\n'), bugs.map(plain), call);
    return 0;
  }
  if (command.length === 0)
    throw new UsageError('check-suite needs a command: petstore check-suite -- COMMAND…');
  const limits = { seconds: secondsOf(values), env: call.env, interruption: call.interruption() };
  checkReportFiles(values);
  const jobs = numberOf('jobs', values.jobs, availableParallelism());
  const progress = values.json === true ? stderr : stdout;
  const say = (line: string) => void progress.write(`${line}\n`);

  const called = new Set<Operation | undefined>();
  const right = rightService(called);
  const rightRuns = sideBySide(
    [right, right],
    jobs,
    (service) => runSuite(command, limits, service),
    () => {},
  );
  const twice = await waiting('the suite runs against the right service', rightRuns, call);
  const failed = twice.filter(({ code }) => code !== 0);
  const [wrong] = failed;
  if (wrong) {
    const what = failed.length === 2 ? 'fails' : 'is not steady: of two runs it fails one';
    const why = `the suite ${what} against the right service: it ${wrong.end}`;
    const said = textOf(wrong);
    stderr.write(
      values.json === true
        ? `${asJson({ code: 'suite_failed' }, `${said}${why}`, UNUSABLE)}\n`
        : `${said}petstore: ${why}\n`,
    );
    writeReports(reportOfUnusable(command, why, said), values);
    return UNUSABLE;
  }

  say(`the suite passes against the right service, twice; ${bugs.length} bugs to be noticed`);
  const runs = await sideBySide(
    bugs,
    jobs,
    async (bug) => (called.has(bug.operation) ? runSuite(command, limits, bug) : spared),
    (bug, run) =>
      say(`${isNoticed(run) ? 'noticed' : 'MISSED '}  ${titleOf(bug, reveal)}${whyMissed(bug, run)}`),
  );
  const results = bugs.map((bug, at) => ({ bug, run: runs[at] as SuiteRun }));
  const noticed = runs.filter(isNoticed).length;
  const score = `${noticed} of ${bugs.length} bugs were noticed`;
  say(score);
  if (values.json === true) {
    const told = results.map(({ bug, run }) => ({ ...plain(bug), noticed: isNoticed(run) }));
    await print(`${JSON.stringify({ bugs: told, noticed, of: bugs.length }, null, 2)}\n`, call);
  }
  writeReports(reportOf(command, score, results, reveal), values);
  return noticed < bugs.length ? 1 : 0;
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
