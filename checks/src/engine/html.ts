import { escaped } from './escape.ts';
import type { Entry, Report, Verdict, WireLine } from './report.ts';

const marks: Readonly<Record<Verdict, string>> = { passed: '✓', failed: '✗', 'not tried': '–' };

/** A self-contained page: the score, and per entry the observed and expected behavior and the exchanges. */
export function htmlOf({ title, command, score, entries }: Report): string {
  const tried = entries.filter(({ verdict }) => verdict !== 'not tried');
  const passed = tried.filter(({ verdict }) => verdict === 'passed').length;
  const percent = tried.length === 0 ? 0 : Math.floor((100 * passed) / tried.length);
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escaped(title)}: ${escaped(score)}</title>
<style>${style}</style>
<header>
<h1>${escaped(title)}</h1>
<p class="score"><strong>${escaped(score)}</strong></p>
<div class="bar" role="img" aria-label="${percent} %"><div style="width:${percent}%"></div></div>
<p><code>${escaped(command)}</code></p>
</header>
<main>
${entries.map(entryOf).join('\n')}
</main>
</html>
`;
}

function entryOf({ id, title, verdict, result, good, wire }: Entry): string {
  const rows = [
    ['Observed', escaped(result)],
    ['Expected', escaped(good)],
  ].flatMap(([name, text]) => (text ? [`<dt>${name}</dt><dd>${text}</dd>`] : []));
  const lines = wire.map(wireOf).join('');
  return `<details class="${verdict.replace(' ', '-')}"${verdict === 'failed' ? ' open' : ''}>
<summary><span class="mark" aria-label="${verdict}">${marks[verdict]}</span> ${escaped(title)} <code>${escaped(id)}</code></summary>
<dl>${rows.join('')}</dl>${lines && `\n<h3>On the wire</h3>${lines}`}
</details>`;
}

function wireOf({ asked, response, right, note }: WireLine): string {
  const panes = [
    ['Request', asked],
    ['Response', response || '(none)'],
    ['Correct response', right],
  ].flatMap(([name = '', text]) =>
    text === undefined
      ? []
      : [`<figure><figcaption>${name}</figcaption><pre>${escaped(text)}</pre></figure>`],
  );
  const comment = note === undefined ? '' : `<p>${escaped(note)}</p>`;
  return `<div class="wire">${panes.join('')}${comment}</div>`;
}

const style = `
:root { color-scheme: light dark; --good: #1a7f37; --bad: #c93c37; --none: #6e7781; --line: #8884; --paper: #8881 }
body { font: 16px/1.5 system-ui, sans-serif; max-width: 60rem; margin: 2rem auto; padding: 0 1rem }
h1 { font-size: 1.4rem; margin: 0 }
h3 { font-size: 1rem; margin: 1rem 0 .25rem }
code, pre { font: .85rem/1.45 ui-monospace, monospace }
.score { font-size: 1.6rem; margin: .25rem 0 }
.bar { height: .6rem; border-radius: .3rem; background: var(--line); overflow: hidden }
.bar div { height: 100%; background: var(--good) }
details { border: 1px solid var(--line); border-radius: .5rem; margin: .5rem 0; padding: .5rem .75rem }
summary { cursor: pointer }
summary code { float: right; color: var(--none) }
summary::after { content: ''; display: block; clear: both }
.mark { font-weight: bold; display: inline-block; width: 1.2rem }
.passed .mark { color: var(--good) }
.failed .mark { color: var(--bad) }
.not-tried .mark { color: var(--none) }
dl { display: grid; grid-template-columns: 9rem 1fr; gap: .25rem 1rem; margin: .75rem 0 0 }
dt { color: var(--none) }
dd { margin: 0 }
.wire { display: grid; grid-template-columns: repeat(auto-fit, minmax(17rem, 1fr)); gap: .5rem; margin: .5rem 0 }
figure { margin: 0; min-width: 0 }
figcaption { font-size: .8rem; color: var(--none) }
.wire p { grid-column: 1 / -1; margin: 0 }
pre { margin: 0; padding: .5rem; background: var(--paper); border-radius: .35rem; overflow-wrap: anywhere; white-space: pre-wrap }
@media (max-width: 40rem) { dl { grid-template-columns: 1fr } summary code { float: none; display: block } }
`;
