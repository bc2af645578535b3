import type { TestProject } from 'vitest/node';
import { prepareConsole } from '../../../console/test/support/setup.ts';
import { bundleProgram } from './bundle.ts';
import { startPostgres } from './postgres.ts';
import { prepareSqliteFile } from './prepared-sqlite.ts';

/** Makes at once what all tests share, as none of it needs another: the console is built, and so is the program. */
export default async function beforeAll(project: TestProject): Promise<() => Promise<void>> {
  const removeFile = prepareSqliteFile(project);
  const [stopPostgres] = await Promise.all([startPostgres(project), bundleProgram(), prepareConsole()]);
  return async () => {
    removeFile();
    await stopPostgres();
  };
}
