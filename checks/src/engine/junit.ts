import { escaped } from './escape.ts';
import type { Entry, Report } from './report.ts';

/** JUnit XML, with one test case per entry. */
export function junitOf({ title, entries }: Report): string {
  const count = (verdict: Entry['verdict']) => entries.filter((entry) => entry.verdict === verdict).length;
  const counts = `tests="${entries.length}" failures="${count('failed')}" skipped="${count('not tried')}"`;
  const suite = `  <testsuite name="${escaped(title)}" ${counts}>\n${entries.map(caseOf).join('')}  </testsuite>\n`;
  return `<?xml version="1.0" encoding="UTF-8"?>\n<testsuites ${counts}>\n${suite}</testsuites>\n`;
}

function caseOf({
  id,
  title,
  verdict,
  label = verdict,
  result,
  expectation,
  expectationLabel = 'Expected',
  printed,
  seconds,
}: Entry): string {
  const time = seconds === undefined ? '' : ` time="${seconds.toFixed(3)}"`;
  const text = escaped(result || label);
  const results = {
    passed: '',
    failed: `<failure message="${text}">${escaped(`${expectationLabel}: ${expectation}`)}</failure>`,
    'not tried': `<skipped message="${text}"/>`,
  };
  const output = printed?.trim() ? `<system-out>${escaped(printed)}</system-out>` : '';
  return `    <testcase classname="${escaped(id)}" name="${escaped(title)}"${time}>${results[verdict]}${output}</testcase>\n`;
}
