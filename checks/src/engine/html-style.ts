/** The colors of the console, light and dark. */
const tokens = `
:root {
  color-scheme: light dark;
  --ground: light-dark(oklch(0.972 0.008 160), oklch(0.185 0.014 160));
  --surface: light-dark(oklch(0.996 0.002 160), oklch(0.222 0.016 160));
  --sunken: light-dark(oklch(0.948 0.011 160), oklch(0.262 0.018 160));
  --line: light-dark(oklch(0.9 0.013 160), oklch(0.31 0.018 160));
  --ink: light-dark(oklch(0.24 0.025 160), oklch(0.945 0.01 160));
  --ink-soft: light-dark(oklch(0.46 0.022 160), oklch(0.755 0.018 160));
  --good: light-dark(oklch(0.45 0.1 155), oklch(0.8 0.12 155));
  --bad: light-dark(oklch(0.5 0.17 25), oklch(0.76 0.13 25));
  --band: oklch(0.36 0.075 160);
  --on-band: oklch(0.97 0.02 160);
}`;

export const style = `${tokens}
body { margin: 0; background: var(--ground); color: var(--ink); font: 16px/1.5 Figtree, system-ui, sans-serif; overflow-wrap: anywhere }
header { background: var(--band); color: var(--on-band) }
header, main { padding: 1.5rem max(1rem, 50vw - 31rem) }
h1 { font-size: 1.4rem; margin: 0 }
h2 { font-size: 1.1rem; margin: 1.5rem 0 .5rem }
small, dt, figcaption, summary code { color: var(--ink-soft); font-weight: normal }
h3 { font-size: 1rem; margin: 1rem 0 .25rem }
p { margin: .25rem 0 }
a { color: inherit }
code, pre { font: .85rem/1.45 ui-monospace, monospace }
.product { font-weight: 600; opacity: .85 }
.score { font-size: 1.8rem; font-weight: 600 }
.bar { height: .6rem; border-radius: .3rem; background: var(--line); overflow: hidden; margin: .5rem 0 }
.bar div { height: 100%; background: var(--good) }
header .bar { background: oklch(1 0 0 / .2) }
header .bar div { background: oklch(0.8 0.12 155) }
aside { border-left: .3rem solid var(--bad); background: var(--surface); padding: .5rem 1rem; margin: 1rem 0 }
aside h2 { margin: 0 }
aside dl { margin: .25rem 0 0 }
table { border-spacing: 0; width: 100% }
th { text-align: left; font-weight: normal }
th, td { padding: 0 1.5rem 0 0; white-space: nowrap }
td:last-child { padding: 0; width: 100% }
details { background: var(--surface); border: 1px solid var(--line); border-radius: .5rem; margin: .5rem 0; padding: .5rem .75rem }
summary { cursor: pointer; list-style: none; display: grid; grid-template-columns: 1rem 1.2rem 1fr auto; align-items: baseline }
summary::-webkit-details-marker { display: none }
summary::before { content: ''; width: .5rem; height: .6rem; background: currentcolor; clip-path: polygon(0 0, 100% 50%, 0 100%) }
details[open] > summary::before { rotate: 90deg }
summary code { padding-left: 1rem }
.mark { font-weight: bold; color: var(--ink-soft) }
.passed .mark { color: var(--good) }
.failed .mark { color: var(--bad) }
dl { display: grid; grid-template-columns: 6rem 1fr; gap: .25rem 1rem; margin: .75rem 0 0 }
dd { margin: 0 }
dd::first-letter, .title::first-letter { text-transform: uppercase }
.title { display: inline-block }
.wire { display: grid; grid-template-columns: repeat(auto-fit, minmax(17rem, 1fr)); gap: .5rem; margin: .5rem 0 }
.wire p { grid-column: 1 / -1 }
figure { margin: 0; min-width: 0 }
figcaption { font-size: .8rem }
pre { margin: 0; padding: .5rem; background: var(--sunken); border-radius: .35rem; white-space: pre-wrap }
@media (max-width: 40rem) { dl { grid-template-columns: 1fr } dd { margin-bottom: .5rem } summary code { grid-column: 3; padding: 0 } }
`;
