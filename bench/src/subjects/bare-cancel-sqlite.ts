import { readFileSync } from 'node:fs';
import { type Cancelled, openForCancels } from './sqlite-cancel.ts';

/** The disk's limit with one commit each: the statements that a cancel makes, and nothing around them. */
const [path = '', store = '', idsFile = '', seconds = ''] = process.argv.slice(2);
const storeId = BigInt(store);
const ids = (JSON.parse(readFileSync(idsFile, 'utf8')) as string[]).map(BigInt);

const { begin, commit, counters, cancel, record, giveBack, save } = openForCancels(path);

const started = performance.now();
const until = started + Number(seconds) * 1000;
let count = 0;
for (const id of ids) {
  if (performance.now() >= until) break;
  const at = BigInt(Date.now());
  begin.run();
  const revision = (counters.get(storeId) as { revision: bigint }).revision + 1n;
  const order = cancel.get(at, revision, at, revision, storeId, id) as unknown as Cancelled | undefined;
  if (!order) throw new Error(`order ${id} was not pending`);
  const { pet_id: pet, quantity } = order;
  record.run(storeId, revision, id, at, pet, quantity, order.ship_date, order.placed_at);
  giveBack.run(quantity, revision, storeId, pet);
  save.run(revision, storeId);
  commit.run();
  count++;
}
console.log(JSON.stringify({ count, elapsed: (performance.now() - started) / 1000 }));
