import type { Fired } from '../../../acceptance/src/bugs/breaking-proxy.ts';
import type { Answered, Asked } from '../../../acceptance/src/bugs/bug.ts';
import { type Entry, type Report, shortened, type WireLine } from '../report/report.ts';
import type { NumberedBug } from './numbered.ts';
import type { SuiteRun } from './run-suite.ts';

export interface Result {
  readonly bug: NumberedBug;
  readonly run: SuiteRun;
}

export function reportOf(
  command: readonly string[],
  score: string,
  results: readonly Result[],
  reveal: boolean,
): Report {
  const entries = results.map((result) => entryOf(result, reveal));
  return { title: 'Does this test suite find bugs?', command: command.join(' '), score, entries };
}

function entryOf({ bug, run }: Result, reveal: boolean): Entry {
  const isNoticed = run.code !== 0;
  const met = run.met === 0 ? 'it never met the bug' : `it met the bug ${run.met} times`;
  const place = `Bug ${bug.number} (${bug.level}, ${bug.operation})`;
  return {
    id: reveal ? bug.id : String(bug.number),
    title: reveal ? `${place}: ${bug.summary}` : place,
    verdict: isNoticed ? 'passed' : 'failed',
    result: `The suite ${run.end}: ${met}${isNoticed ? ', and noticed it.' : ', and passed all the same.'}`,
    good: bug.hint,
    // What is wrong shows on the wire: those who have not found it are not told.
    wire: isNoticed || reveal ? run.fired.map(wireOf) : [],
  };
}

function wireOf({ asked, passedOn, right, sent }: Fired): WireLine {
  const instead = passedOn && `The service was asked in its stead: ${passedOn.method} ${passedOn.path}`;
  const isOther = sent !== right && (sent.status !== right.status || sent.body !== right.body);
  return {
    asked: requestText(asked),
    answered: answerText(sent),
    ...(isOther ? { right: answerText(right) } : {}),
    ...(instead === undefined ? {} : { note: instead }),
  };
}

const requestText = ({ method, path, headers, body }: Asked) =>
  shortened(`${method} ${path} HTTP/1.1\n${headerText(headers)}\n${body}`);

const answerText = ({ status, headers, body }: Answered) =>
  shortened(`HTTP/1.1 ${status}\n${headerText(headers)}\n${body}`);

const headerText = (headers: Readonly<Record<string, string>>) =>
  Object.entries(headers)
    .map(([name, value]) => `${name}: ${value}\n`)
    .join('');
