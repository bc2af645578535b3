import { escaped } from './escape.ts';
import type { Entry, Report } from './report.ts';

/** JUnit XML, with one test case per entry. */
export function junitOf({ title, entries }: Report): string {
  const count = (verdict: Entry['verdict']) => entries.filter((entry) => entry.verdict === verdict).length;
  const counts = `tests="${entries.length}" failures="${count('failed')}" skipped="${count('not tried')}"`;
  const cases = entries.map(({ id, title: name, verdict, result }) => {
    const text = escaped(result);
    const inside =
      verdict === 'failed'
        ? `<failure message="${text}"/>`
        : verdict === 'not tried'
          ? `<skipped message="${text}"/>`
          : '';
    return `    <testcase classname="${escaped(id)}" name="${escaped(name)}">${inside}</testcase>\n`;
  });
  const suite = `  <testsuite name="${escaped(title)}" ${counts}>\n${cases.join('')}  </testsuite>\n`;
  return `<?xml version="1.0" encoding="UTF-8"?>\n<testsuites ${counts}>\n${suite}</testsuites>\n`;
}
