import { escaped } from '../engine/escape.ts';
import { prose } from '../engine/html.ts';
import { style } from '../engine/html-style.ts';
import type { SuiteResult } from './read-results.ts';
import type { Row, Sheet } from './sheet.ts';

/** One self-contained page: what to discuss, what no suite noticed, and the whole table. */
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
<section><h2>Discuss next</h2><p>Noticed by some suites, but by fewer than half: their authors can explain how.</p>${listOf(toDiscuss, 'No such bug.')}</section>
<section><h2>Noticed by no suite</h2>${listOf(noticedByNone, 'Every bug was noticed by at least one suite.')}</section>
${withoutResult.length > 0 ? `<section><h2>No result</h2><p>${withoutResult.map(escaped).join(', ')}: the suite failed against the correct service (exit status 3), or was interrupted.</p></section>\n` : ''}<section><h2>All results</h2>
<p>✓ noticed, ✗ not noticed, – not tested</p>
<div class="wide" tabindex="0" role="group" aria-label="All results"><table>
<thead><tr><th scope="col">Bug<th scope="col">Noticed${results.map(columnOf).join('')}</thead>
<tbody>
${rows.map((row) => rowOf(row, results)).join('\n')}
</tbody></table></div></section>
</main>
</html>
`;
}

/** Names are vertical, so that the columns of a class of 30 fit on one screen. */
const tableStyle = `
.wide { overflow-x: auto; margin: 0 calc(50% - 50vw); padding: 0 max(1rem, 50vw - 50rem) }
.wide th, .wide td { padding: .15rem .4rem; border-bottom: 1px solid var(--line); text-align: center; width: auto; white-space: nowrap; overflow-wrap: normal }
.wide thead th + th { writing-mode: sideways-lr; text-align: left; vertical-align: bottom }
.wide th:first-child { position: sticky; left: 0; background: var(--ground); text-align: left; vertical-align: bottom; min-width: 18rem; white-space: normal }
.yes { color: var(--good) }
.no { color: var(--bad) }
`;

const titleOf = ({ number, bug, exercise }: Row) =>
  `${number}. ${prose(bug.summary)} <small>${[exercise, bug.owasp, bug.operation].filter(Boolean).join(', ')}</small>`;

const countOf = ({ noticed, tested }: Row) => `${noticed} of ${tested}`;

const listOf = (rows: readonly Row[], empty: string) =>
  rows.length === 0
    ? `<p>${empty}</p>`
    : `<ul>${rows.map((row) => `<li>${titleOf(row)}: noticed by ${countOf(row)}. Hint: ${prose(row.bug.hint)}</li>`).join('')}</ul>`;

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
