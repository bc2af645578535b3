import type { Entry, Report } from '../engine/report.ts';
import { type Clean, causesOf, exchangeOf, type Failed, problemOf, textOf } from './causes.ts';
import type { Result } from './run.ts';

const verdicts = { passed: 'passed', failed: 'failed', 'not checked': 'not tried' } as const;

export interface Judged {
  readonly results: readonly Result[];
  readonly secrets: readonly string[];
  readonly clean: Clean;
}

const failedOf = (results: readonly Result[]): Failed[] =>
  results.filter((result) => result.verdict === 'failed');

const countOf = (results: readonly Result[], verdict: Result['verdict']): number =>
  results.filter((result) => result.verdict === verdict).length;

export function scoreOf(results: readonly Result[]): string {
  const [passed, failed, notChecked] = [
    countOf(results, 'passed'),
    countOf(results, 'failed'),
    countOf(results, 'not checked'),
  ];
  return `${passed} of ${results.length} checks passed, ${failed} failed${notChecked > 0 ? `, ${notChecked} not checked` : ''}`;
}

/** The output of `--json`. */
export function jsonOf({ results, clean }: Judged) {
  const checks = results.map((result) => {
    const { id, statement, level } = result.check;
    return { id, statement, level, verdict: result.verdict, problem: problemTextOf(result, clean) ?? null };
  });
  return {
    checks,
    passed: countOf(results, 'passed'),
    failed: countOf(results, 'failed'),
    of: results.length,
  };
}

export function problemTextOf(result: Result, clean: Clean): string | undefined {
  if (result.verdict === 'not checked') return clean(result.reason);
  return result.verdict === 'failed' ? textOf(problemOf(result, clean)) : undefined;
}

/** The causes of failures: for each, the checks that it fails, and request and response of the first. */
export function causeLines({ results, secrets, clean }: Judged): string[] {
  const causes = causesOf(failedOf(results), clean);
  return causes.flatMap(({ title, failed }, at) => {
    const [first] = failed as [Failed];
    const exchange = exchangeOf(first, secrets);
    const block = (name: string, text: string) => [
      `     ${name}`,
      ...text.split('\n').map((line) => `       ${line}`),
    ];
    return [
      '',
      `${at + 1}. ${title}: ${failed.length} ${failed.length === 1 ? 'check' : 'checks'}`,
      `   ${failed.map(({ check }) => check.id).join(', ')}`,
      `   The first: ${first.check.statement}`,
      `   Observed: ${problemOf(first, clean).observed}`,
      ...(exchange ? [...block('Request', exchange.request), ...block('Response', exchange.response)] : []),
    ];
  });
}

export function reportOf(judged: Judged, base: string): Report {
  const { results, clean } = judged;
  const causes = causesOf(failedOf(results), clean);
  return {
    title: 'Service check',
    command: `petstore check-service --url ${base}`,
    score: scoreOf(results),
    badge: 'service check',
    entries: results.map((result) => entryOf(result, judged)),
    ...(causes[0]?.failed[0] && { first: causes[0].failed[0].check.id }),
    notes: causes.map(
      ({ title, failed }) => `${title}: ${failed.length} ${failed.length === 1 ? 'check' : 'checks'}`,
    ),
  };
}

function entryOf(result: Result, { clean, secrets }: Judged): Entry {
  const { id, statement, section } = result.check;
  const exchange = result.verdict === 'failed' ? exchangeOf(result, secrets) : undefined;
  return {
    id,
    title: statement,
    group: section,
    verdict: verdicts[result.verdict],
    label: result.verdict,
    result: problemTextOf(result, clean) ?? 'as stated',
    expectation: result.verdict === 'failed' ? problemOf(result, clean).expected : '',
    wire: exchange ? [exchange] : [],
  };
}
