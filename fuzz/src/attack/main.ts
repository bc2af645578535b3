import { writeFileSync } from 'node:fs';
import { cpus, loadavg } from 'node:os';
import { parseArgs } from 'node:util';
import { type Row, runScene } from './run-scene.ts';
import { reading } from './scenes/reading.ts';
import { writing } from './scenes/writing.ts';
import { writePage, writeRow } from './table.ts';

/** Every attack, one after the other, each on a program of its own. It ends by itself. */
const { values } = parseArgs({ options: { write: { type: 'boolean' }, only: { type: 'string' } } });
const scenes = [...reading, ...writing].filter(({ name }) => name.includes(values.only ?? ''));
const machine = `${cpus().length} × ${cpus()[0]?.model.trim()}, load ${loadavg()[0]?.toFixed(1)}, Node ${process.version}`;
const page = new URL('../../../docs/SECURITY-ATTACKS.md', import.meta.url);
const rows: Row[] = [];
for (const scene of scenes) {
  const row = await runScene(scene);
  rows.push(row);
  console.log(writeRow(row));
  // Whoever stops it keeps what was measured.
  if (values.write) writeFileSync(page, writePage(rows, machine));
}
const missed = rows.filter((row) => row.missed.length > 0).length;
console.log(`${rows.length - missed} of ${rows.length} held`);
process.exit(missed > 0 ? 1 : 0);
