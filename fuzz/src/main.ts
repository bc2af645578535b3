import { fuzz, type Subject } from './fuzz.ts';
import { help, type Options, readOptions, UsageError } from './options.ts';
import { startProgram } from './program/start-program.ts';
import { report } from './report.ts';

try {
  const options = readOptions(process.argv.slice(2));
  if (options) await main(options);
  else console.log(help);
} catch (error) {
  process.exitCode = error instanceof UsageError ? 2 : 1;
  console.error(`fuzz: ${error instanceof UsageError ? error.message : (error as Error).stack}`);
}

async function main(options: Options): Promise<void> {
  console.log(`seed ${options.seed}`);
  for (const name of ['api', 'wire'] as const) {
    if (options.only !== undefined && options.only !== name) continue;
    const { base, keys } = options;
    if (base !== undefined) {
      const entrances = keys.map((key) => ({ origin: base, key }));
      report(
        await fuzz(name, { entrances, isOwn: false, held: [], ended: () => undefined }, options),
        options,
      );
      continue;
    }
    await using program = await startProgram();
    const subject: Subject = {
      entrances: program.deployments,
      isOwn: true,
      held: program.held,
      ended: program.ended,
    };
    report(await fuzz(name, subject, options), options);
  }
  process.exit();
}
