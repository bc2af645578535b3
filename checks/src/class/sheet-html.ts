import { escaped } from '../engine/escape.ts';
import { style } from '../engine/html-style.ts';
import type { SuiteResult } from './read-results.ts';
import type { Row, Sheet } from './sheet.ts';

/** One self-contained page: what to discuss, what nobody noticed, and the whole table. */
export function sheetHtml({ results, withoutResult, rows, noticedByNone, toDiscuss }: Sheet): string {
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Class report: ${results.length} suites</title>
<style>${style}${tableStyle}</style>
<header>
<p class="product">Pet Store</p>
<h1>Class report</h1>
<p class="score">${results.length} suites, ${rows.length} bugs</p>
</header>
<main>
<section><h2>Discuss next</h2>${listOf(toDiscuss, 'Nothing: no bug was noticed by some and missed by most.')}</section>
<section><h2>Noticed by none</h2>${listOf(noticedByNone, 'Nothing: every bug was noticed by at least one suite.')}</section>
${withoutResult.length > 0 ? `<section><h2>No result</h2><p>${withoutResult.map(escaped).join(', ')}: the suite failed against the correct service (exit status 3), or was interrupted.</p></section>\n` : ''}<section><h2>All results</h2>
<div class="wide" tabindex="0" role="group" aria-label="All results"><table>
<thead><tr><th scope="col">Bug<th scope="col">Noticed${results.map(columnOf).join('')}</thead>
<tbody>
${rows.map((row) => rowOf(row, results)).join('\n')}
</tbody></table></div></section>
</main>
</html>
`;
}

const tableStyle = `
.wide { overflow-x: auto }
.wide th, .wide td { padding: .15rem .5rem; border-bottom: 1px solid var(--line); text-align: center; width: auto }
.wide th:first-child { text-align: left; min-width: 18rem }
.yes { color: var(--good) }
.no { color: var(--bad) }
`;

const titleOf = ({ number, bug, exercise }: Row) =>
  `${number}. ${escaped(bug.summary)} <small>${[exercise, bug.owasp, bug.operation].filter(Boolean).join(', ')}</small>`;

const countOf = ({ noticed, tested }: Row) => `${noticed} of ${tested}`;

const listOf = (rows: readonly Row[], empty: string) =>
  rows.length === 0
    ? `<p>${empty}</p>`
    : `<ul>${rows.map((row) => `<li>${titleOf(row)}: noticed by ${countOf(row)}. Hint: ${escaped(row.bug.hint)}</li>`).join('')}</ul>`;

const columnOf = ({ name, noticed, tested }: SuiteResult) =>
  `<th scope="col">${escaped(name)}<br>${noticed.size} of ${tested.size}`;

const rowOf = (row: Row, results: readonly SuiteResult[]) =>
  `<tr><th scope="row">${titleOf(row)}<td>${countOf(row)}${results.map((result) => cellOf(row, result)).join('')}`;

function cellOf({ bug }: Row, { tested, noticed }: SuiteResult): string {
  if (!tested.has(bug.id)) return '<td>–';
  return noticed.has(bug.id)
    ? '<td class="yes"><span aria-label="noticed">✓</span>'
    : '<td class="no"><span aria-label="not noticed">✗</span>';
}
