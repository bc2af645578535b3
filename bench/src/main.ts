import { writeFileSync } from 'node:fs';
import { drawCharts } from './charts.ts';
import { comparison } from './compare.ts';
import { Data } from './data.ts';
import { writeResults } from './docs.ts';
import { describeMachine, describeVersions } from './machine.ts';
import { type Engine, readOptions, usage } from './options.ts';
import { pinLoad } from './processes.ts';
import type { Row } from './row.ts';
import type { Scenario } from './scenario.ts';
import { scenarios } from './scenarios/index.ts';
import { table } from './table.ts';

const options = readOptions(process.argv.slice(2));
if (options.help) {
  console.log(usage);
  process.exit();
}
const chosen = scenarios.filter(
  ({ name }) => options.only.length === 0 || options.only.some((text) => name.includes(text)),
);
if (options.list) {
  for (const { name, title } of scenarios) console.log(`${name.padEnd(16)}${title}`);
  process.exit();
}

pinLoad();
const started = performance.now();
const data = new Data(options);
const rows: Row[] = [];
const failures: string[] = [];
for (const [index, scenario] of chosen.entries()) {
  const place = `${index + 1}/${chosen.length} ${scenario.name}`;
  show(place);
  const engines = options.engines.filter((engine) => !options.quick || isQuickOn(engine, scenario));
  const progress = (text: string) => show(`${place}: ${text}`);
  if (engines.length === 0) continue;
  try {
    rows.push(...(await scenario.run({ options: { ...options, engines }, data, progress })));
  } catch (error) {
    // What the other scenarios measured is worth as much as before.
    failures.push(`${scenario.name} FAILED: ${(error as Error).stack ?? error}`);
  }
}
show('');
const postgres = options.engines.includes('postgres') ? (await data.postgres()).version : undefined;
await data.close();

console.log(table(rows));
for (const failure of failures) console.error(failure);
if (options.compare !== undefined) console.log(comparison(rows, options.compare));
const minutes = (performance.now() - started) / 60_000;
const results = {
  date: new Date().toISOString(),
  minutes: Number(minutes.toFixed(1)),
  rounds: options.rounds,
  seconds: options.seconds,
  machine: describeMachine(),
  versions: describeVersions(postgres),
  rows,
};
// Only what was measured at length, and whole, is worth keeping.
if (failures.length === 0 && !options.quick && options.only.length === 0 && options.engines.length === 2) {
  writeFileSync(new URL('../results.json', import.meta.url), `${JSON.stringify(results, null, 2)}\n`);
  const { processor, cores, memoryGigabytes } = results.machine;
  writeResults(rows, { ...results, machine: `${processor}, ${cores} cores, ${memoryGigabytes} GB` });
  drawCharts(rows);
}
process.exit(failures.length === 0 ? 0 : 1);

/** A quick run measures on PostgreSQL only what has a bar of its own there. */
function isQuickOn(engine: Engine, { barOn }: Scenario): boolean {
  return engine === 'sqlite' || options.engines.length === 1 || barOn === 'each engine';
}

/** The progress line, with the time that has passed; where it cannot be rewritten, only the scenarios. */
function show(text: string): void {
  if (!process.stderr.isTTY) {
    if (text !== '' && !text.includes(': ')) console.error(text);
    return;
  }
  const seconds = ((performance.now() - started) / 1000).toFixed(0).padStart(4);
  process.stderr.write(`\r\u001b[K${text === '' ? '' : `${seconds} s  ${text}`}`);
}
