import type { FuzzResult } from './fuzz.ts';
import type { Options } from './options.ts';

/** Prints the failures, each with the command to repeat it, and the totals; sets the exit code. */
export function report(
  { name, attempts, healthy, failures, notes }: FuzzResult,
  { seed, base, keys }: Options,
): void {
  const against = base === undefined ? '' : ` --base ${base}${keys.map(() => ' --key KEY').join('')}`;
  for (const { number, problem, sent, received } of failures) {
    console.log(`\nFAILED ${name} ${number}: ${problem}`);
    if (sent) console.log(`  sent      ${sent}`);
    if (received) console.log(`  received  ${received}`);
    console.log(`  again     npm run fuzz -- --only ${name} --seed ${seed} --replay ${number}${against}`);
    console.log(`  with all before it: --requests ${number} instead of --replay ${number}`);
  }
  for (const note of notes) console.log(`note: ${note}`);
  console.log(
    `${name}: ${attempts} requests, ${failures.length} failures; ${healthy} requests of a healthy client meanwhile`,
  );
  if (failures.length > 0) process.exitCode = 1;
}
