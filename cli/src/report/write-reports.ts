import { accessSync, constants, statSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { UsageError } from '../../../server/src/config/usage-error.ts';
import type { Values } from '../flags.ts';
import type { Flags } from '../place.ts';
import { htmlOf } from './html.ts';
import { junitOf } from './junit.ts';
import type { Report } from './report.ts';

/** Flags shared by the checks. None has an environment variable: each is meant for one run. */
export const reportFlags: Flags = {
  only: { value: 'ID,…', help: 'Run only these', variable: false },
  list: { help: 'List them without running anything', variable: false },
  json: { help: 'Print JSON on standard output, and progress on standard error', variable: false },
  junit: { value: 'FILE', help: 'Also write a JUnit XML report', variable: false },
  html: { value: 'FILE', help: 'Also write an HTML report', variable: false },
  timeout: { value: 'SECONDS', help: 'Timeout of each run (default 60)', variable: false },
};

/** Rejects unwritable report files before the run. */
export function checkReportFiles({ junit, html }: Values): void {
  for (const [flag, file] of Object.entries({ junit, html })) {
    if (file === undefined) continue;
    const path = String(file);
    withFile(flag, path, () => {
      const found = statSync(path, { throwIfNoEntry: false });
      if (found?.isDirectory()) throw new Error('is a directory');
      accessSync(found ? path : `${dirname(path)}/.`, constants.W_OK);
    });
  }
}

export function writeReports(report: Report, { junit, html }: Values): void {
  if (junit !== undefined) withFile('junit', String(junit), (path) => writeFileSync(path, junitOf(report)));
  if (html !== undefined) withFile('html', String(html), (path) => writeFileSync(path, htmlOf(report)));
}

function withFile(flag: string, path: string, work: (path: string) => void): void {
  try {
    work(path);
  } catch (error) {
    throw new UsageError(`invalid --${flag} '${path}': ${(error as Error).message}`);
  }
}
