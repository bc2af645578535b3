import type { TestProject } from 'vitest/node';
import { prepareConsole } from '../../../console/test/support/setup.ts';
import { bundleProgram } from './bundle.ts';
import { startPostgres } from './postgres.ts';
import { prepareSqliteFile } from './prepared-sqlite.ts';

/** Makes at once what all tests share, as none of it needs another: the console is built, and so is the program. */
export default async function beforeAll(project: TestProject): Promise<() => Promise<void>> {
  const removeFile = prepareSqliteFile(project);
  const starting = startPostgres(project);
  const tidy = async () => {
    removeFile();
    const stop = await starting;
    await stop();
  };
  try {
    await Promise.all([starting, bundleProgram(), prepareConsole()]);
  } catch (error) {
    await tidy();
    throw error;
  }
  return tidy;
}
