import { Origin } from '../../../checks/src/gateway/origin/origin.ts';
import type { Question } from '../../../checks/src/gateway/question.ts';
import { questions } from '../../../checks/src/gateway/questions/all.ts';
import { jsonOf, reportOf } from '../../../checks/src/gateway/report.ts';
import { type QuestionResult, runQuestions } from '../../../checks/src/gateway/run-questions.ts';
import { settingsFor } from '../../../checks/src/gateway/settings.ts';
import { startGateway } from '../../../checks/src/gateway/start-gateway.ts';
import { waitForGateway } from '../../../checks/src/gateway/wait-for-gateway.ts';
import { UsageError } from '../../../server/src/config/usage-error.ts';
import { filterByOnly } from '../check-flags.ts';
import type { Call } from '../command-group.ts';
import { printResult } from '../output.ts';
import { startCheck } from '../start-check.ts';

const marks = { passed: 'PASS', failed: 'FAIL', 'not tried': 'SKIP' } as const;

/** Runs its own client and origin on either side of a gateway, and compares what one sends with what the other receives. */
export async function checkGateway(call: Call): Promise<number> {
  const { args: command, values } = call;
  const selectable =
    values.only === undefined && values.slow !== true ? questions.filter(({ isSlow }) => !isSlow) : questions;
  const chosen = filterByOnly(selectable, values);
  if (values.list === true) return list(chosen, call);
  const url = urlOf(values.through);
  const port = portOf(values['origin-port']);
  const { limits, say, estimate, finish } = startCheck(call, command.length === 0 ? undefined : command);
  const settings = settingsFor(values.timeout === undefined ? undefined : limits.seconds);
  await using origin = await Origin.open(port);
  await using program = command.length === 0 ? undefined : startGateway(command, port, call.env);
  const { interruption } = limits;
  let done = 0;
  const onResult = (result: QuestionResult) => {
    say(lineOf(result));
    done += 1;
    estimate(done, chosen.length);
  };
  const options = { origin, url, settings, interruption, onResult };
  const work = waitForGateway({ ...options, command: program }).then(() => runQuestions(chosen, options));
  const results = await Promise.race([work, rejectWhen(interruption)]);
  const tried = results.filter(({ verdict }) => verdict !== 'not tried');
  const passed = tried.filter(({ verdict }) => verdict === 'passed').length;
  const score = `${passed} of ${tried.length} checks passed`;
  say(score);
  const described = `--through ${url.origin}${command.length === 0 ? '' : ` -- ${command.join(' ')}`}`;
  return finish(reportOf(described, score, results), jsonOf(results, passed, tried.length));
}

function urlOf(given: unknown): URL {
  if (given === undefined)
    throw new UsageError('check-gateway requires --through URL: the address of the gateway');
  const url = URL.parse(String(given));
  if (!url || !/^https?:$/.test(url.protocol))
    throw new UsageError(
      `invalid --through '${given}': must be an http or https URL, such as http://127.0.0.1:8000`,
    );
  if (url.pathname !== '/' || url.search !== '' || url.hash !== '' || url.username !== '')
    throw new UsageError(
      `invalid --through '${given}': must have no path, query or user name; the check appends /v1 and /v2`,
    );
  return url;
}

function portOf(given: unknown): number {
  if (given === undefined)
    throw new UsageError(
      'check-gateway requires --origin-port N: the port on 127.0.0.1 that the gateway forwards to',
    );
  const port = Number(given);
  if (!/^\d+$/.test(String(given)) || port < 1 || port > 65_535)
    throw new UsageError(`invalid --origin-port '${given}': must be a port from 1 to 65535`);
  return port;
}

function lineOf({ question, verdict, problem, advice }: QuestionResult): string {
  const why = problem === undefined ? '' : `: ${problem}`;
  const note = advice === undefined ? '' : `\n      note: ${advice}`;
  return `${marks[verdict]}  ${question.requirement}${why}${note}`;
}

async function list(chosen: readonly Question[], call: Call): Promise<number> {
  const width = Math.max(...chosen.map(({ id }) => id.length));
  const lines = chosen.map(({ id, requirement }) => `${id.padEnd(width)}  ${requirement}`);
  const json = chosen.map(({ id, requirement, group }) => ({ id, question: requirement, group }));
  await printResult(lines.join('\n'), json, call);
  return 0;
}

/** Rejects when the command is interrupted. */
function rejectWhen(interruption: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    if (interruption.aborted) reject(interruption.reason);
    interruption.addEventListener('abort', () => reject(interruption.reason), { once: true });
  });
}
