import { cells } from './cells.ts';
import { growth } from './growth.ts';
import { workers } from './workers.ts';

/** What docs/SCALE.md says of workers, growth and cells, measured: prints a table of each. */
const all = { workers, growth, cells };
const asked = process.argv.slice(2);
for (const [name, measure] of Object.entries(all)) {
  if (asked.length === 0 || asked.includes(name)) await measure();
}
process.exit();
