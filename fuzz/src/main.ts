import { seedOrders } from './attack/seed.ts';
import { fuzz, type Subject } from './fuzz.ts';
import { fuzzerNames, help, type Options, readOptions, UsageError } from './options.ts';
import { type Program, startPlain, startProgram } from './program/start-program.ts';
import { report } from './report.ts';

try {
  const options = readOptions(process.argv.slice(2));
  if (options) await main(options);
  else console.log(help);
} catch (error) {
  process.exitCode = error instanceof UsageError ? 2 : 1;
  console.error(`fuzz: ${error instanceof UsageError ? error.message : (error as Error).stack}`);
}

function seedLongList(program: Program) {
  return { origin: program.deployments[0]?.origin ?? '', key: seedOrders(program, 60_000) };
}

async function main(options: Options): Promise<void> {
  console.log(`seed ${options.seed}`);
  for (const name of fuzzerNames) {
    if (options.only !== undefined && options.only !== name) continue;
    const { base, keys } = options;
    if (base !== undefined) {
      const targets = keys.map((key) => ({ origin: base, key }));
      report(
        await fuzz(name, { targets, isOwn: false, blocked: [], ended: () => undefined }, options),
        options,
      );
      continue;
    }
    await using program = await startProgram();
    await using plain = name === 'pipelines' ? await startPlain() : undefined;
    const subject: Subject = {
      // Only a long list makes a response wait for a client that does not read.
      targets: name === 'pipelines' ? [seedLongList(program)] : program.deployments,
      isOwn: true,
      blocked: program.blocked,
      ended: program.ended,
      baseline: plain && { targets: plain.deployments, blocked: plain.blocked, ended: plain.ended },
    };
    report(await fuzz(name, subject, options), options);
  }
  process.exit();
}
