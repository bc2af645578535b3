import type { Answered, Asked } from '../../../acceptance/src/bugs/bug.ts';
import type { Fired } from '../../../acceptance/src/bugs/exchange.ts';
import { type Entry, type Report, shortened, type WireLine } from '../report/report.ts';
import type { NumberedBug } from './numbered.ts';
import type { SuiteRun } from './run-suite.ts';

export interface Result {
  readonly bug: NumberedBug;
  readonly run: SuiteRun;
}

const title = 'Does this test suite find bugs?';

export function reportOf(
  command: readonly string[],
  score: string,
  results: readonly Result[],
  reveal: boolean,
): Report {
  const entries = results.map((result) => entryOf(result, reveal));
  return { title, command: command.join(' '), score, entries };
}

/** Of a suite that fails where nothing is wrong: no bug was tried. */
export function reportOfUnusable(command: readonly string[], why: string, said: string): Report {
  const entry: Entry = {
    id: 'right-service',
    title: 'The right service, without a bug',
    verdict: 'failed',
    result: said.trimEnd() || why,
    good: 'It passes, each time.',
    wire: [],
  };
  return { title, command: command.join(' '), score: why, entries: [entry] };
}

/** How often the suite met a bug. One that it never met it cannot notice. */
export function metText({ met }: SuiteRun): string {
  if (met === 0) return 'never met the bug';
  return `met the bug ${met === 1 ? 'once' : `${met} times`}`;
}

function entryOf({ bug, run }: Result, reveal: boolean): Entry {
  const isNoticed = run.code !== 0;
  const met = `it ${metText(run)}`;
  const place = `Bug ${bug.number} (${bug.level}, ${bug.operation})`;
  return {
    id: reveal ? bug.id : String(bug.number),
    title: reveal ? `${place}: ${bug.summary}` : place,
    verdict: isNoticed ? 'passed' : 'failed',
    result: `The suite ${run.end}: ${met}${isNoticed ? ', and noticed it.' : ', and did not notice it.'}`,
    good: bug.hint,
    // What is wrong shows on the wire: those who have not found it are not told.
    wire: isNoticed || reveal ? run.fired.map(wireOf) : [],
  };
}

function wireOf({ asked, passedOn, right, sent }: Fired): WireLine {
  const instead = passedOn && `The service was asked in its stead: ${passedOn.method} ${passedOn.path}`;
  const isOther = JSON.stringify(sent) !== JSON.stringify(right);
  const from = sent.body === right.body ? 0 : differenceIn(sent.body, right.body);
  return {
    asked: requestText(asked),
    answered: answerText(sent, from),
    ...(isOther ? { right: answerText(right, from) } : {}),
    ...(instead === undefined ? {} : { note: instead }),
  };
}

/** Where two texts begin to differ, and a little before. */
function differenceIn(one: string, other: string): number {
  let at = 0;
  while (at < one.length && one[at] === other[at]) at += 1;
  return Math.max(0, at - 60);
}

const requestText = ({ method, path, headers, body }: Asked) =>
  shortened(`${method} ${path} HTTP/1.1\n${headerText(headers)}\n${body}`);

/** Its body is shown as it reads, however it was packed. */
const answerText = (
  { status, headers: { 'content-encoding': _, ...headers }, body }: Answered,
  from: number,
) => shortened(`HTTP/1.1 ${status}\n${headerText(headers)}\n${body}`, from);

const headerText = (headers: Readonly<Record<string, string>>) =>
  Object.entries(headers)
    .map(([name, value]) => `${name}: ${value}\n`)
    .join('');
