import { accessSync, constants, statSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { UsageError } from '../../../server/src/config/usage-error.ts';

/** Rejects a command that cannot be run, before any store is opened. */
export function requireCommand([program = '']: readonly string[], env: NodeJS.ProcessEnv): void {
  const problems = (program.includes('/') ? [program] : candidatesInPath(program, env)).map(problemOf);
  if (problems.includes(undefined)) return;
  const problem = problems.find((candidate) => candidate !== NOT_FOUND) ?? NOT_FOUND;
  throw new UsageError(`cannot run ${program}: ${problem}`);
}

const NOT_FOUND = 'command not found';

const candidatesInPath = (program: string, { PATH = '/usr/bin:/bin' }: NodeJS.ProcessEnv): string[] =>
  PATH.split(delimiter).map((folder) => join(folder || '.', program));

function problemOf(path: string): string | undefined {
  const found = statSync(path, { throwIfNoEntry: false });
  if (!found?.isFile()) return NOT_FOUND;
  try {
    accessSync(path, constants.X_OK);
    return undefined;
  } catch {
    return 'permission denied';
  }
}
