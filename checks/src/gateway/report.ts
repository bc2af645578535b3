import type { Entry, Report, WireLine } from '../engine/report.ts';
import type { QuestionResult } from './run-questions.ts';

/** Exchanges of a question in a report, on each side. */
const MAX_EXCHANGES = 3;
const MAX_TEXT = 1_500;

export function reportOf(command: string, score: string, results: readonly QuestionResult[]): Report {
  return { title: 'Gateway check', command, score, badge: 'gateway check', entries: results.map(entryOf) };
}

function entryOf({ question, verdict, problem, advice, seconds, sent, received }: QuestionResult): Entry {
  const requests = `${sent.length} sent, ${received.length} received by the origin`;
  return {
    id: question.id,
    title: question.requirement,
    group: question.group,
    verdict,
    result: problem ?? advice ?? requests,
    expectation: question.hint,
    seconds,
    wire: [
      ...linesOf(
        ['Sent by the client', 'Received by the client'],
        sent.map(({ text, response }) => ({ request: text, response: response.summary })),
      ),
      ...linesOf(['Received by the origin', 'Sent by the origin'], received),
    ],
  };
}

function linesOf(
  names: readonly [string, string],
  exchanges: readonly Pick<WireLine, 'request' | 'response'>[],
): WireLine[] {
  const more = exchanges.length - MAX_EXCHANGES;
  return exchanges.slice(0, MAX_EXCHANGES).map(({ request, response }, at) => ({
    names,
    request: excerptOf(request),
    response: excerptOf(response),
    ...(at === MAX_EXCHANGES - 1 && more > 0 ? { note: `and ${more} more` } : {}),
  }));
}

/** Headers are not left out: any of them may be the point. */
function excerptOf(message: string): string {
  const text = message.replaceAll('\r\n', '\n').trimEnd();
  return text.length > MAX_TEXT ? `${text.slice(0, MAX_TEXT)} …` : text;
}

/** The JSON of the command. */
export function jsonOf(results: readonly QuestionResult[], passed: number, of: number) {
  const questions = results.map(({ question: { id, requirement }, verdict, problem, advice }) => ({
    id,
    question: requirement,
    verdict,
    problem: problem ?? null,
    ...(advice === undefined ? {} : { advice }),
  }));
  return { questions, passed, of };
}
