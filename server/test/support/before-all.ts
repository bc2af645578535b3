import type { TestProject } from 'vitest/node';
import { prepareConsole } from '../../../console/test/support/setup.ts';
import { bundleProgram } from './bundle.ts';
import { startPostgres } from './postgres.ts';
import { prepareSqliteFile } from './prepared-sqlite.ts';
import { openTestRun } from './test-run.ts';

/** Prepares concurrently what all tests share: a PostgreSQL, an empty SQLite file, the bundle, the console, Chromium. */
export default async function beforeAll(project: TestProject): Promise<() => Promise<void>> {
  await openTestRun();
  prepareSqliteFile(project);
  const [stopPostgres] = await Promise.all([startPostgres(project), bundleProgram(), prepareConsole()]);
  return stopPostgres;
}
