import { readFileSync } from 'node:fs';
import { openForCancels } from './sqlite-cancel.ts';

/** The disk's limit with one commit each: the statements that a cancel makes, and nothing around them. */
const [path = '', store = '', idsFile = '', seconds = ''] = process.argv.slice(2);
const ids = (JSON.parse(readFileSync(idsFile, 'utf8')) as string[]).map(BigInt);

const cancel = openForCancels(path, BigInt(store));

const started = performance.now();
const until = started + Number(seconds) * 1000;
let count = 0;
for (const id of ids) {
  if (performance.now() >= until) break;
  cancel([id]);
  count++;
}
console.log(JSON.stringify({ count, elapsed: (performance.now() - started) / 1000 }));
