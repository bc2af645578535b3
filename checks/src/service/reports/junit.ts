import { writeFileSync } from 'node:fs';
import type { Result } from '../run.ts';
import { failureOf, type Report } from './report.ts';

const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
const escaped = (text: string) => text.replace(/[&<>"]/g, (character) => entities[character] ?? '');
const seconds = (results: readonly Result[]) =>
  (results.reduce((sum, { milliseconds }) => sum + milliseconds, 0) / 1000).toFixed(3);

/** Writes the form that CI servers show: one suite a section, one case a check. */
export function junitReport(file: string, secrets: readonly string[]): Report {
  const results: Result[] = [];
  return {
    result: (result) => results.push(result),
    end() {
      const sections = Map.groupBy(results, ({ check }) => check.section);
      const suites = [...sections].map(([name, part]) => {
        const cases = part.map((result) => testCase(result, secrets)).join('');
        return `  <testsuite name="${escaped(name)}" ${counts(part)}>\n${cases}  </testsuite>\n`;
      });
      const whole = `<testsuites name="Pet Store acceptance" ${counts(results)}>\n${suites.join('')}</testsuites>\n`;
      writeFileSync(file, `<?xml version="1.0" encoding="UTF-8"?>\n${whole}`);
    },
  };
}

function counts(results: readonly Result[]): string {
  const of = (verdict: Result['verdict']) => results.filter((result) => result.verdict === verdict).length;
  const numbers = `tests="${results.length}" failures="${of('failed')}" skipped="${of('not checked')}"`;
  return `${numbers} time="${seconds(results)}"`;
}

function testCase(result: Result, secrets: readonly string[]): string {
  const { id, sentence } = result.check;
  const attributes = `classname="${escaped(id)}" name="${escaped(sentence)}" time="${seconds([result])}"`;
  if (result.verdict === 'passed') return `    <testcase ${attributes}/>\n`;
  if (result.verdict === 'not checked') {
    return `    <testcase ${attributes}><skipped message="${escaped(result.reason)}"/></testcase>\n`;
  }
  const failure = Object.entries(failureOf(result.error, secrets)).map(([name, text]) => `${name} ${text}`);
  return `    <testcase ${attributes}><failure message="${escaped(failure.join('; '))}"/></testcase>\n`;
}
