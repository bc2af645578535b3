import { pinLoad } from '../processes.ts';
import { cells } from './cells.ts';
import { growthOfOrders, growthOfStores } from './growth.ts';
import { workers } from './workers.ts';

/** What docs/SCALE.md says of workers, growth and cells, measured: prints a table of each. */
const all = { workers, 'growth-orders': growthOfOrders, 'growth-stores': growthOfStores, cells };
const asked = process.argv.slice(2);
pinLoad();
for (const [name, measure] of Object.entries(all)) {
  if (asked.length === 0 || asked.some((text) => name.startsWith(text))) await measure();
}
process.exit();
