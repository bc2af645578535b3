import { UsageError } from '../../../server/src/config/usage-error.ts';
import { type Answer, putQuestion } from '../check-client/put-question.ts';
import { questions } from '../check-client/questions/all.ts';
import { openStage } from '../check-client/stage.ts';
import { print, tell } from '../output.ts';
import type { Call } from '../place.ts';
import { onlyOf, secondsOf } from '../report/read-flags.ts';
import { type Entry, type Report, shortened } from '../report/report.ts';
import { checkReportFiles, writeReports } from '../report/write-reports.ts';

/** What a report shows of a question. */
const MOST_EXCHANGES = 4;
const marks = { passed: 'yes', failed: 'NO ', 'not tried': ' - ' } as const;

/** Runs somebody's program against a private store with each hard case in turn, and prints what it passed. */
export async function checkClient(call: Call): Promise<number> {
  const { args: command, values, stdout, stderr } = call;
  if (values.template !== undefined) return printTemplate(String(values.template), call);
  const chosen = onlyOf(questions, values);
  if (values.list === true) return list(chosen, call);
  if (command.length === 0)
    throw new UsageError('check-client needs a command: petstore check-client -- COMMAND…');
  const limits = { seconds: secondsOf(values), env: call.env, interruption: call.interruption() };
  checkReportFiles(values);
  // Programs read standard output; people are told where they are.
  const progress = values.json === true ? stderr : stdout;
  const say = (line: string) => progress.write(`${line}\n`);
  await using stage = await openStage();
  const answers: Answer[] = [];
  for (const question of chosen) {
    const answer = await putQuestion(stage, command, question, limits);
    if (answers.length === 0) mustStart(answer, command);
    answers.push(answer);
    const why = answer.problem === undefined ? '' : `: ${answer.problem}`;
    say(`${marks[answer.verdict]}  ${question.ask}${why}`);
  }

  const tried = answers.filter(({ verdict }) => verdict !== 'not tried');
  const passed = tried.filter(({ verdict }) => verdict === 'passed');
  const score = `${passed.length} of ${tried.length} questions passed`;
  say(score);
  if (values.json === true)
    await print(`${JSON.stringify(jsonOf(answers, passed.length, tried.length), null, 2)}\n`, call);
  writeReports(reportOf(command, score, answers), values);
  if (passed.length === tried.length && tried.length > 0) return 0;
  stderr.write('petstore check-client --help tells what a client is asked to do\n');
  return 1;
}

/** A program that fails at once and has not even asked is not a client that answers badly: it does not run. */
function mustStart({ outcome }: Answer, command: readonly string[]): void {
  const { code, end, said, exchanges } = outcome;
  if (code === 0 || code === 64 || exchanges.length > 0) return;
  if (said.trim() === '' && code !== 126 && code !== 127) return;
  throw new UsageError(
    `${command.join(' ')} ${end} without a request; it says:\n${said.trim() || '(nothing)'}`,
  );
}

async function printTemplate(language: string, call: Call): Promise<number> {
  const { templates } = await import('../check-client/templates/all.ts');
  if (!Object.hasOwn(templates, language))
    throw new UsageError(
      `--template is '${language}': it must be one of ${Object.keys(templates).join(', ')}`,
    );
  await print(templates[language as keyof typeof templates], call);
  return 0;
}

async function list(chosen: typeof questions, call: Call): Promise<number> {
  const width = Math.max(...chosen.map(({ id }) => id.length));
  const lines = chosen.map(({ id, ask }) => `${id.padEnd(width)}  ${ask}`);
  const json = chosen.map(({ id, ask }) => ({ id, question: ask }));
  await tell(lines.join('\n'), json, call);
  return 0;
}

function jsonOf(answers: readonly Answer[], passed: number, of: number) {
  const told = answers.map(({ question: { id, ask }, verdict, problem }) => ({
    id,
    question: ask,
    verdict,
    ...(problem === undefined ? {} : { problem }),
  }));
  return { questions: told, passed, of };
}

function reportOf(command: readonly string[], score: string, answers: readonly Answer[]): Report {
  return {
    title: 'Does this client hold?',
    command: command.join(' '),
    score,
    entries: answers.map(entryOf),
  };
}

function entryOf({ question, verdict, problem, outcome }: Answer): Entry {
  const { exchanges } = outcome;
  const more = exchanges.length - MOST_EXCHANGES;
  const passed = `${exchanges.length} request${exchanges.length === 1 ? '' : 's'}, and it ${outcome.end}`;
  return {
    id: question.id,
    title: question.ask,
    verdict,
    result: verdict === 'not tried' ? 'it does not know this task' : (problem ?? passed),
    good: question.good,
    wire: exchanges.slice(0, MOST_EXCHANGES).map(({ asked, answered }, at) => ({
      asked: shortened(asked),
      answered: shortened(answered),
      ...(at === MOST_EXCHANGES - 1 && more > 0 ? { note: `and ${more} more` } : {}),
    })),
  };
}
