import type { Asked, WireResponse } from '../bugs/bug.ts';
import type { Fired } from '../bugs/exchange.ts';
import { type Entry, type Report, shortened, type WireLine } from '../engine/report.ts';
import type { NumberedBug } from './numbered.ts';
import type { SuiteRun } from './run-suite.ts';

export interface Result {
  readonly bug: NumberedBug;
  readonly run: SuiteRun;
}

const title = 'Test suite check';
const badge = 'suite check';

export function reportOf(
  command: readonly string[],
  score: string,
  results: readonly Result[],
  reveal: boolean,
): Report {
  const entries = results.map((result) => entryOf(result, reveal));
  return { title, command: command.join(' '), score, badge, entries };
}

/** The report when the suite fails against the correct service: no bug was tested. */
export function reportOfUnusable(command: readonly string[], why: string, said: string): Report {
  const entry: Entry = {
    id: 'right-service',
    title: 'The correct service, without a bug',
    verdict: 'failed',
    result: said.trimEnd() || why,
    good: 'The suite passes every time.',
    wire: [],
  };
  return { title, command: command.join(' '), score: why, badge, entries: [entry], isUnusable: true };
}

/** How often the suite triggered a bug: one that it never triggers, it cannot notice. */
export function metText({ met }: SuiteRun): string {
  if (met === 0) return 'never triggered the bug';
  return `triggered the bug ${met === 1 ? 'once' : `${met} times`}`;
}

function entryOf({ bug, run }: Result, reveal: boolean): Entry {
  const isNoticed = run.code !== 0;
  const place = `Bug ${bug.number} (${bug.level}, ${bug.operation})`;
  return {
    id: reveal ? bug.id : String(bug.number),
    title: reveal ? `${place}: ${bug.summary}` : place,
    verdict: isNoticed ? 'passed' : 'failed',
    result: `${isNoticed ? 'Noticed' : 'Missed'}: the suite ${metText(run)} and ${run.end}.`,
    good: bug.hint,
    // The exchange reveals the bug: hidden until the suite notices it.
    wire: isNoticed || reveal ? run.fired.map(wireOf) : [],
  };
}

function wireOf({ asked, passedOn, right, sent }: Fired): WireLine {
  const instead = passedOn && `Request sent to the service instead: ${passedOn.method} ${passedOn.path}`;
  const isOther = JSON.stringify(sent) !== JSON.stringify(right);
  const from = sent.body === right.body ? 0 : differenceIn(sent.body, right.body);
  return {
    asked: requestText(asked),
    response: responseText(sent, from),
    ...(isOther ? { right: responseText(right, from) } : {}),
    ...(instead === undefined ? {} : { note: instead }),
  };
}

/** The index of the first difference, if any. */
function differenceIn(one: string, other: string): number {
  let at = 0;
  while (at < one.length && one[at] === other[at]) at += 1;
  return at;
}

const requestText = ({ method, path, headers, body }: Asked) =>
  shortened(`${method} ${path} HTTP/1.1\n${headerText(headers)}\n${body}`);

/** Shows the decoded body, without its content encoding. */
const responseText = (
  { status, headers: { 'content-encoding': _, ...headers }, body }: WireResponse,
  from: number,
) => shortened(`HTTP/1.1 ${status}\n${headerText(headers)}\n${body}`, from);

const headerText = (headers: Readonly<Record<string, string>>) =>
  Object.entries(headers)
    .map(([name, value]) => `${name}: ${value}\n`)
    .join('');
