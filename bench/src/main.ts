import { writeFileSync } from 'node:fs';
import { loadavg } from 'node:os';
import { parseArgs } from 'node:util';
import { describeMachine } from './machine.ts';
import type { Effort, Row } from './measure/compare.ts';
import { verdict } from './measure/interval.ts';
import { pinLoad } from './processes.ts';
import { readReplicas, replicaCells, replicaColumns, writeReplicas } from './replicas-report.ts';
import { columns, rowCells, table, writeResults } from './report.ts';
import { instrument } from './rows/instrument.ts';
import { large } from './rows/large-store.ts';
import { pages } from './rows/pages.ts';
import { place } from './rows/place.ts';
import { reads } from './rows/reads.ts';
import { replicas } from './rows/replicas.ts';
import { scale } from './rows/scale.ts';
import { scaleCells, scaleColumns, writeScale } from './scale-report.ts';
import { growths } from './subjects/fill.ts';

const parts = { instrument, reads, pages, place, large };

const usage = `npm run bench [-- flags]

  --quick        short samples, without the store of a million orders; takes about three minutes
  --only NAME    one of ${Object.keys(parts).join(', ')};
                 with --scale, one of ${growths.join(', ')}; may be repeated
  --scale        instead, measure how costs grow with a deployment: about a quarter of an hour, or less with --quick
  --replicas     instead, measure one to three replicas on PostgreSQL with a synchronous standby, and a failover
  --sizing       recompute the sizing from the results of the last --replicas
`;

const { values } = parseArgs({
  options: {
    quick: { type: 'boolean', default: false },
    only: { type: 'string', multiple: true, default: [] },
    scale: { type: 'boolean', default: false },
    replicas: { type: 'boolean', default: false },
    sizing: { type: 'boolean', default: false },
    help: { type: 'boolean' },
  },
});
if (values.help) {
  console.log(usage);
  process.exit();
}
const effort: Effort = values.quick
  ? { seconds: 0.1, warmUp: 3, checkpoints: [8, 16] }
  : { seconds: 0.2, warmUp: 6, checkpoints: [8, 16, 32, 64] };

if (values.sizing) {
  writeReplicas(readReplicas());
  process.exit();
}
pinLoad();
const started = performance.now();
if (values.scale) {
  const progress = (row: Parameters<typeof scaleCells>[0]) => console.error(scaleCells(row).join('  '));
  const rows = await scale({ isQuick: values.quick, only: values.only }, progress);
  console.log(table([scaleColumns, ...rows.map(scaleCells)]));
  const { machine, node } = describeMachine();
  const date = new Date().toISOString().slice(0, 10);
  if (!values.quick && values.only.length === 0)
    writeScale(rows, `Microseconds of CPU time per request. ${date}, ${machine}, Node ${node}.`);
  process.exit();
}
if (values.replicas) {
  const found = await replicas(values.quick, (row) => console.error(replicaCells(row).join('  ')));
  console.log(table([replicaColumns, ...found.rows.map((row) => replicaCells(row))]));
  const { rows: _, ...others } = found;
  console.log(others);
  const { machine, node } = describeMachine();
  const about = `${new Date().toISOString().slice(0, 10)}, ${machine}, Node ${node}, load average ${averageLoad()}.`;
  if (!values.quick) writeReplicas({ about, ...found });
  process.exit();
}
const rows: Row[] = [];
for (const [name, run] of Object.entries(parts)) {
  if (values.only.length > 0 ? !values.only.includes(name) : values.quick && name === 'large') continue;
  console.error(`${((performance.now() - started) / 1000).toFixed(0).padStart(4)} s  ${name}`);
  rows.push(...(await run(effort)));
}
console.log(table([columns, ...rows.map(rowCells)]));
const load = averageLoad();
const machine = describeMachine();
console.error(`${((performance.now() - started) / 1000).toFixed(0)} s, load average ${load}`);

// Only complete runs at full length are recorded.
if (!values.quick && values.only.length === 0) {
  const date = new Date().toISOString();
  const results = { date, load, ...machine, ...effort, rows };
  writeFileSync(new URL('../results.json', import.meta.url), `${JSON.stringify(results, null, 2)}\n`);
  writeResults(rows, `${date.slice(0, 10)}, ${machine.machine}, Node ${machine.node}, load average ${load}`);
}
process.exit(rows.some(({ estimate, limit }) => verdict(estimate, limit) === 'missed') ? 1 : 0);

function averageLoad(): string {
  return loadavg()
    .map((value) => value.toFixed(1))
    .join(', ');
}
