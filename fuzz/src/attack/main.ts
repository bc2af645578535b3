import { readFileSync, writeFileSync } from 'node:fs';
import { cpus, loadavg } from 'node:os';
import { parseArgs } from 'node:util';
import { type Row, runScene } from './run-scene.ts';
import { settings } from './scene.ts';
import { scenes } from './scenes/index.ts';
import { formatPage, formatRow } from './table.ts';

/** Runs every attack in sequence, each against its own service. */
const { values } = parseArgs({
  options: {
    write: { type: 'boolean' },
    /** Attack only one process on loopback, not two workers. */
    quick: { type: 'boolean' },
    only: { type: 'string', default: '' },
    /** Duration of attacks that have no natural end. */
    seconds: { type: 'string', default: '20' },
  },
});
const machine = `${cpus().length} × ${cpus()[0]?.model.trim()}, load ${loadavg()[0]?.toFixed(1)}, Node ${process.version}`;
const page = new URL('../../../docs/appendix/ATTACKS.md', import.meta.url);
/** A partial run replaces only the rows of its own attacks. */
const previous = values.only || values.quick ? readFileSync(page, 'utf8') : '';
const rows: Row[] = [];
for (const scene of scenes.filter(({ name }) => name.includes(values.only))) {
  for (const setting of values.quick ? settings.slice(0, 1) : settings) {
    const row = await runScene(scene, setting, Number(values.seconds));
    rows.push(row);
    console.log(formatRow(row));
    // Write after each attack, so that an interrupted run keeps its results.
    if (values.write) writeFileSync(page, formatPage(rows, machine, previous));
  }
}
const failed = rows.filter((row) => row.problems.length > 0).length;
console.log(`${rows.length - failed} of ${rows.length} passed`);
process.exit(failed > 0 ? 1 : 0);
