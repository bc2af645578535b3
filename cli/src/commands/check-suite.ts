import { availableParallelism } from 'node:os';
import type { Operation } from '../../../checks/src/bugs/operations.ts';
import { NotJudged } from '../../../checks/src/engine/exit-codes.ts';
import { chosenBugs, type NumberedBug, titleOf } from '../../../checks/src/suite/numbered.ts';
import { metText, reportOf, reportOfUnusable } from '../../../checks/src/suite/report.ts';
import { rightService, runSuite, type SuiteRun, spared } from '../../../checks/src/suite/run-suite.ts';
import { sideBySide } from '../../../checks/src/suite/side-by-side.ts';
import { UsageError } from '../../../server/src/config/usage-error.ts';
import { numberOf } from '../check-flags.ts';
import { tell, waiting } from '../output.ts';
import type { Call } from '../place.ts';
import { startCheck } from '../start-check.ts';

/** Runs a test suite against the correct service, then against services with one planted bug each. */
export async function checkSuite(call: Call): Promise<number> {
  const { args: command, values, stderr } = call;
  const bugs = chosenBugs(values.only === undefined ? undefined : String(values.only));
  const reveal = values.reveal === true;
  if (values.list === true) {
    await tell(bugs.map((bug) => titleOf(bug, reveal)).join('\n'), bugs.map(plain), call);
    return 0;
  }
  if (command.length === 0)
    throw new UsageError('check-suite requires a command: petstore check-suite -- COMMAND…');
  const { limits, say, estimate, finish } = startCheck(call, command);
  const jobs = numberOf('jobs', values.jobs, availableParallelism());
  const called = new Set<Operation | undefined>();
  const right = rightService(called);
  const rightRuns = sideBySide(
    [right, right],
    jobs,
    (service) => runSuite(command, limits, service),
    () => {},
  );
  const twice = await waiting('Running the suite against the correct service', rightRuns, call);
  const failed = twice.filter(({ code }) => code !== 0);
  const [wrong] = failed;
  if (wrong) {
    const what = failed.length === 2 ? 'fails' : 'is flaky: one of two runs failed';
    const why = `the suite ${what} against the correct service: it ${wrong.end}`;
    const said = textOf(wrong);
    await finish(reportOfUnusable(command, why, said));
    if (values.json === true) throw new NotJudged('suite_failed', `${said}${why}`);
    stderr.write(said);
    throw new NotJudged('suite_failed', why);
  }

  say(
    `The suite passed twice against the correct service. Testing it against ${bugs.length} ${bugs.length === 1 ? 'bug' : 'bugs'}.`,
  );
  let done = 0;
  estimate(done, bugs.length);
  const runs = await sideBySide(
    bugs,
    jobs,
    async (bug) => (called.has(bug.operation) ? runSuite(command, limits, bug) : spared),
    (bug, run) => {
      say(`${isNoticed(run) ? 'noticed' : 'MISSED '}  ${titleOf(bug, reveal)}${whyMissed(bug, run)}`);
      done += 1;
      estimate(done, bugs.length);
    },
  );
  const results = bugs.map((bug, at) => ({ bug, run: runs[at] as SuiteRun }));
  const noticed = runs.filter(isNoticed).length;
  const score = `${noticed} of ${bugs.length} bugs noticed`;
  say(score);
  const verdicts = results.map(({ bug, run }) => ({ ...plain(bug), noticed: isNoticed(run) }));
  return finish(reportOf(command, score, results, reveal), { bugs: verdicts, noticed, of: bugs.length });
}

/** A suite that hangs (code null) counts as noticing. */
const isNoticed = ({ code }: SuiteRun): boolean => code !== 0;

const plain = ({ id, level, operation, summary }: NumberedBug) => ({ id, level, operation, summary });

function whyMissed({ hint }: NumberedBug, run: SuiteRun): string {
  if (isNoticed(run)) return '';
  return `\n         The suite ${metText(run)}. Hint: ${hint}`;
}

/** The end of the output, where test runners print their failures. */
function textOf({ stdout, stderr }: SuiteRun): string {
  const text = `${stdout}${stderr}`.trimEnd();
  return text === '' ? '' : `${text.slice(-4_000)}\n`;
}
