import { writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import type { Result } from './bar.ts';
import { Data } from './data.ts';
import { writeResults } from './docs.ts';
import { describeMachine } from './machine.ts';
import { pinLoad } from './processes.ts';
import { largeList } from './scenarios/large-list.ts';
import { page } from './scenarios/page.ts';
import { place } from './scenarios/place.ts';
import { reads } from './scenarios/reads.ts';
import { start } from './scenarios/start.ts';
import { table } from './table.ts';

const scenarios = [reads, page, place, largeList, start];

const usage = `npm run bench [-- flags]

  --quick        fewer and shorter rounds: under three minutes
  --only NAME    one of ${scenarios.map(({ name }) => name).join(', ')}; may be repeated
`;

const { values } = parseArgs({
  options: {
    quick: { type: 'boolean', default: false },
    only: { type: 'string', multiple: true, default: [] },
    help: { type: 'boolean' },
  },
});
if (values.help) {
  console.log(usage);
  process.exit();
}
const rounds = values.quick ? { rounds: 3, seconds: 1, warmUp: 1 } : { rounds: 9, seconds: 3, warmUp: 5 };
const chosen = scenarios.filter(({ name }) => values.only.length === 0 || values.only.includes(name));

pinLoad();
const started = performance.now();
const data = new Data();
const results: Result[] = [];
for (const { name, run } of chosen) {
  console.error(`${((performance.now() - started) / 1000).toFixed(0).padStart(4)} s  ${name}`);
  results.push(...(await run({ ...rounds, data })));
}
await data.close();
console.log(table(results));

// Only a complete run at full length is recorded.
if (!values.quick && chosen.length === scenarios.length) {
  const about = { date: new Date().toISOString(), ...rounds, ...describeMachine() };
  writeFileSync(
    new URL('../results.json', import.meta.url),
    `${JSON.stringify({ ...about, results }, null, 2)}\n`,
  );
  writeResults(results, about);
}
process.exit(results.every(({ holds }) => holds) ? 0 : 1);
