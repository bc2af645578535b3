import { accessSync, constants, statSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { UsageError } from '../../../server/src/config/usage-error.ts';
import { badgeOf } from './badge.ts';
import { htmlOf } from './html.ts';
import { junitOf } from './junit.ts';
import type { Report } from './report.ts';

/** Files to write, by flag. */
export type ReportFiles = Readonly<Partial<Record<'junit' | 'html' | 'badge', string>>>;

/** Rejects unwritable report files before the run. */
export function checkReportFiles(files: ReportFiles): void {
  for (const [flag, path] of Object.entries(files)) {
    withFile(flag, path, () => {
      const found = statSync(path, { throwIfNoEntry: false });
      if (found?.isDirectory()) throw new Error('is a directory');
      accessSync(found ? path : `${dirname(path)}/.`, constants.W_OK);
    });
  }
}

const writers = { junit: junitOf, html: htmlOf, badge: badgeOf };

export function writeReports(report: Report, files: ReportFiles): void {
  for (const [flag, file] of Object.entries(files))
    withFile(flag, file, (path) => writeFileSync(path, writers[flag as keyof ReportFiles](report)));
}

function withFile(flag: string, path: string, work: (path: string) => void): void {
  try {
    work(path);
  } catch (error) {
    throw new UsageError(`invalid --${flag} '${path}': ${(error as Error).message}`);
  }
}
