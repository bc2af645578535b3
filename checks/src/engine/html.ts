import { escaped } from './escape.ts';
import { style } from './html-style.ts';
import { countsOf, type Entry, firstToFix, type Report, type Verdict, type WireLine } from './report.ts';

const marks: Readonly<Record<Verdict, string>> = { passed: '✓', failed: '✗', 'not tried': '–' };

/** A self-contained page: the score, what to fix first, and per entry the observed and expected behavior. */
export function htmlOf(report: Report): string {
  const { title, command, score, entries, notes = [] } = report;
  const groups = [...Map.groupBy(entries, ({ group = '' }) => group)];
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escaped(title)}: ${escaped(score)}</title>
<style>${style}</style>
<header>
<p class="product">Pet Store</p>
<h1>${escaped(title)}</h1>
<p class="score">${escaped(score)}</p>
${barOf(entries)}
<p><code>${escaped(command)}</code></p>
</header>
<main>
${firstOf(report)}${notes.map((note) => `<p class="note">${prose(note)}</p>\n`).join('')}${exercisesOf(entries)}
${groups.map(([name, some]) => groupOf(name, some)).join('\n')}
</main>
</html>
`;
}

function barOf(entries: readonly Entry[]): string {
  const { passed, of } = countsOf({ entries });
  const percent = of === 0 ? 0 : Math.floor((100 * passed) / of);
  return `<div class="bar" role="img" aria-label="${percent} %"><div style="width:${percent}%"></div></div>`;
}

function firstOf(report: Report): string {
  const first = firstToFix(report);
  if (!first) return '';
  const link = `<a class="title" href="#${encodeURIComponent(first.id)}">${headingOf(first)}</a>`;
  return `<aside><h2>Fix first</h2>\n${link}\n${factsOf(first)}</aside>\n`;
}

function exercisesOf(entries: readonly Entry[]): string {
  const exercises = Map.groupBy(entries, ({ exercise }) => exercise);
  exercises.delete(undefined);
  if (exercises.size === 0) return '';
  const inOrder = [...exercises].toSorted(([one = ''], [other = '']) =>
    one.localeCompare(other, 'en', { numeric: true }),
  );
  const rows = inOrder.map(
    ([name = '', some]) => `<tr><th scope="row">${escaped(name)}<td>${countText(some)}<td>${barOf(some)}`,
  );
  return `<section><h2>Exercises</h2><table>${rows.join('')}</table></section>\n`;
}

function countText(entries: readonly Entry[]): string {
  const { passed, of } = countsOf({ entries });
  return of === 0 ? 'not tried' : `${passed} of ${of}`;
}

function groupOf(name: string, entries: readonly Entry[]): string {
  const heading = name === '' ? '' : `<h2>${escaped(name)} <small>${countText(entries)}</small></h2>\n`;
  return `<section>\n${heading}${entries.map(entryOf).join('\n')}\n</section>`;
}

function entryOf(entry: Entry): string {
  const { id, verdict, label = verdict, wire, printed } = entry;
  const lines = wire.map(wireOf).join('');
  const output = printed?.trim() ? `\n<h3>Output</h3><pre>${escaped(printed.trimEnd())}</pre>` : '';
  return `<details id="${escaped(id)}" class="${verdict.replace(' ', '-')}"${verdict === 'failed' ? ' open' : ''}>
<summary><span class="mark" role="img" aria-label="${escaped(label)}">${marks[verdict]}</span><span class="title">${headingOf(entry)}</span>${/^\d+$/.test(id) ? '' : `<code>${escaped(id)}</code>`}</summary>
${factsOf(entry)}${lines && `\n<h3>On the wire</h3>${lines}`}${output}
</details>`;
}

const headingOf = ({ title, verdict, label = verdict }: Entry) =>
  `${prose(title)}${label === verdict ? '' : ` <small>${escaped(label)}</small>`}`;

function factsOf({ result, expectation, expectationLabel = 'Expected' }: Entry): string {
  const rows = [
    ['Observed', result],
    [expectationLabel, expectation],
  ].flatMap(([name, text]) => (text ? [`<dt>${name}</dt><dd>${prose(text)}</dd>`] : []));
  return `<dl>${rows.join('')}</dl>`;
}

function wireOf({
  request,
  response,
  names = ['Request', 'Response'],
  correctResponse,
  note,
}: WireLine): string {
  const panes = [
    [names[0], request],
    [names[1], response || '(none)'],
    ['Correct response', correctResponse],
  ].flatMap(([name = '', text]) =>
    text === undefined
      ? []
      : [`<figure><figcaption>${name}</figcaption><pre>${breakAfterCommas(text)}</pre></figure>`],
  );
  const comment = note === undefined ? '' : `<p>${escaped(note)}</p>`;
  return `<div class="wire">${panes.join('')}${comment}</div>`;
}

/** Lines of JSON break between fields, which keeps long numbers whole. */
const breakAfterCommas = (text: string) => escaped(text).replaceAll(',', ',<wbr>');

/** Escapes text, and renders what is in backquotes as code. */
export const prose = (text: string) => escaped(text).replace(/`([^`]+)`/g, '<code>$1</code>');
