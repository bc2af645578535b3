import { decodeMessage } from '../engine/decode-message.ts';
import { type Entry, type Report, shortened, tailOf } from '../engine/report.ts';
import type { Exchange } from '../engine/wire.ts';
import { callsOperationOf, type QuestionResult } from './ask-question.ts';

/** Exchanges per question in a report. */
const MAX_EXCHANGES = 4;

export function reportOf(
  command: readonly string[],
  score: string,
  results: readonly QuestionResult[],
): Report {
  return {
    title: 'API client check',
    command: command.join(' '),
    score,
    badge: 'client check',
    entries: results.map(entryOf),
  };
}

function entryOf({ question, verdict, problem, outcome }: QuestionResult): Entry {
  const { exchanges, printed, stderr, end } = outcome;
  const passed = `${exchanges.length} request${exchanges.length === 1 ? '' : 's'}; the client ${end}`;
  return {
    id: question.id,
    title: question.requirement,
    group: question.operation,
    verdict,
    result: verdict === 'not tried' ? 'the client does not support this task' : (problem ?? passed),
    expectation: question.hint,
    wire: wireOf(outcome.exchanges.toSorted(byOperation(question)), problem),
    ...(verdict === 'failed' ? { printed: tailOf([...printed.slice(-20), stderr].join('\n')) } : {}),
  };
}

/** Requests of the question's operation come first. */
const byOperation =
  (question: QuestionResult['question']) =>
  (one: Exchange, other: Exchange): number =>
    Number(callsOperationOf(question, other)) - Number(callsOperationOf(question, one));

function wireOf(exchanges: readonly Exchange[], problem = '') {
  const more = exchanges.length - MAX_EXCHANGES;
  // The order that the client did not print: the excerpt of the response shows it.
  const evidence = /did not print (\S+)$/.exec(problem)?.[1];
  return exchanges.slice(0, MAX_EXCHANGES).map(({ request, response }, at) => ({
    request: shortened(decodeMessage(request)),
    response: shortened(decodeMessage(response), evidence && `"id":${evidence},`),
    ...(at === MAX_EXCHANGES - 1 && more > 0 ? { note: `and ${more} more` } : {}),
  }));
}
