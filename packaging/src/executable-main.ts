import '../../server/src/set-up-memory.js';
import { main } from '../../cli/src/main.ts';

await main(process.argv.slice(2), process.env);
