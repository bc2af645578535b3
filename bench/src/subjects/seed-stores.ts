import { seed } from '../../../server/src/commands/seed.ts';
import type { FlagValues } from '../../../server/src/config/flags.ts';

/** Creates stores as `petstore seed` does, in one process, and prints their keys. The last argument has the flags as JSON. */
const [count, flags = ''] = process.argv.slice(2);
const values: FlagValues = { ...JSON.parse(flags), json: true };
for (let created = 0; created < Number(count); created++) {
  const { text } = await seed(values, [], process);
  console.log(text);
}
