import {
  askQuestion,
  failInconsistentSkips,
  type QuestionResult,
} from '../../../checks/src/client/ask-question.ts';
import { openTestStore } from '../../../checks/src/client/private-store.ts';
import { questions } from '../../../checks/src/client/questions/all.ts';
import { reportOf } from '../../../checks/src/client/report.ts';
import { firstToFix } from '../../../checks/src/engine/report.ts';
import { UsageError } from '../../../server/src/config/usage-error.ts';
import { filterByOnly } from '../check-flags.ts';
import type { Call } from '../command-group.ts';
import { print, printResult } from '../output.ts';
import { startCheck } from '../start-check.ts';

const marks = { passed: 'PASS', failed: 'FAIL', 'not tried': 'SKIP' } as const;

/** Runs a client against a private store, once per question, and prints the verdicts. */
export async function checkClient(call: Call): Promise<number> {
  const { args: command, values, stderr } = call;
  if (values.template !== undefined) return printTemplate(String(values.template), call);
  const chosen = filterByOnly(questions, values);
  if (values.list === true) return list(chosen, call);
  if (command.length === 0)
    throw new UsageError('check-client requires a command: petstore check-client -- COMMAND…');
  const { limits, say, estimate, finish } = startCheck(call, command);
  await using store = await openTestStore();
  const completed: QuestionResult[] = [];
  for (const question of chosen) {
    estimate(completed.length, chosen.length);
    const result = await askQuestion(store, command, question, limits);
    if (completed.length === 0) requireWorkingCommand(result, command);
    completed.push(result);
    const why = result.problem === undefined ? '' : `: ${result.problem}`;
    say(`${marks[result.verdict]}  ${question.requirement}${why}`);
  }

  const results = failInconsistentSkips(completed);
  for (const [at, { verdict, question, problem }] of results.entries())
    if (verdict !== completed[at]?.verdict) say(`FAIL  ${question.requirement}: ${problem}`);
  const tried = results.filter(({ verdict }) => verdict !== 'not tried');
  const passed = tried.filter(({ verdict }) => verdict === 'passed');
  const score = `${passed.length} of ${tried.length} checks passed`;
  const report = reportOf(command, score, results);
  const first = firstToFix(report);
  if (first) say(`Fix first: ${first.id}. ${first.expectation}`);
  say(score);
  const code = await finish(report, jsonOf(results, passed.length, tried.length));
  if (code !== 0) stderr.write('Run petstore check-client --help to see what each task expects.\n');
  return code;
}

/** Stops if the first run failed without a request: the command is broken, not a client with wrong behavior. */
function requireWorkingCommand({ outcome }: QuestionResult, command: readonly string[]): void {
  const { code, end, timedOut, stderr, exchanges } = outcome;
  // After a timeout, the command may be a client that waits for the wrong thing.
  if (code === 0 || code === 64 || timedOut || exchanges.length > 0) return;
  if (stderr.trim() === '' && code !== 126 && code !== 127) return;
  throw new UsageError(
    `${command.join(' ')} ${end} without sending a request. Its standard error:\n${stderr.trim() || '(empty)'}`,
  );
}

async function printTemplate(language: string, call: Call): Promise<number> {
  const { templates } = await import('../../../checks/src/client/templates/all.ts');
  if (!Object.hasOwn(templates, language))
    throw new UsageError(
      `invalid --template '${language}': must be one of ${Object.keys(templates).join(', ')}`,
    );
  await print(templates[language as keyof typeof templates], call);
  return 0;
}

async function list(chosen: typeof questions, call: Call): Promise<number> {
  const width = Math.max(...chosen.map(({ id }) => id.length));
  const lines = chosen.map(({ id, requirement }) => `${id.padEnd(width)}  ${requirement}`);
  const json = chosen.map(({ id, requirement }) => ({ id, question: requirement }));
  await printResult(lines.join('\n'), json, call);
  return 0;
}

function jsonOf(results: readonly QuestionResult[], passed: number, of: number) {
  const questions = results.map(({ question: { id, requirement }, verdict, problem }) => ({
    id,
    question: requirement,
    verdict,
    problem: problem ?? null,
  }));
  return { questions, passed, of };
}
