import { parseArgs } from 'node:util';
import { openTestRun } from '../support/test-run.ts';
import { databases } from './databases.ts';
import { torture } from './torture.ts';

/** `npm run torture -- --rounds N --engine sqlite|postgres --workers N`: kills the program repeatedly, and reports lost changes. */
const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '20' },
    engine: { type: 'string', default: 'sqlite' },
    workers: { type: 'string', default: '1' },
  },
});
const rounds = Number(values.rounds);
const open = Object.entries(databases).find(([name]) => name === values.engine)?.[1];
if (!open || !Number.isSafeInteger(rounds) || rounds < 1) {
  console.error('torture: --rounds takes a number, --engine sqlite or postgres');
  process.exit(2);
}

await openTestRun();
await using database = await open();
const flags = [...database.flags, '--workers', values.workers];
const { violations, ...figures } = await torture({ ...database, flags }, rounds, (progress) =>
  process.stderr.write(
    `round ${progress.rounds} of ${rounds}: ${progress.acknowledged} acknowledged, ${progress.unknown} unknown, ${progress.violations.length} violations, ${progress.seconds.toFixed(1)} s\n`,
  ),
);
console.log({ engine: values.engine, workers: values.workers, ...figures, violations });
process.exitCode = violations.length === 0 ? 0 : 1;
