import { accessSync, constants, statSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { UsageError } from '../../../server/src/config/usage-error.ts';
import type { Values } from '../flags.ts';
import type { Flags } from '../place.ts';
import { htmlOf } from './html.ts';
import { junitOf } from './junit.ts';
import type { Report } from './report.ts';

/** What check-client and check-suite can be told alike. None is a variable: each is meant for one run. */
export const reportFlags: Flags = {
  only: { value: 'ID,…', help: 'just these', variable: false },
  list: { help: 'print what there is, and run nothing', variable: false },
  json: { help: 'print JSON on standard output, and progress on standard error', variable: false },
  junit: { value: 'FILE', help: 'write a report for CI servers as well', variable: false },
  html: { value: 'FILE', help: 'write a page to look at and to show as well', variable: false },
  timeout: { value: 'SECONDS', help: 'how long one run may take (default 60)', variable: false },
};

/** Refuses, before the run, files that have no place. */
export function checkReportFiles({ junit, html }: Values): void {
  for (const [flag, file] of Object.entries({ junit, html })) {
    if (file === undefined) continue;
    const path = String(file);
    withFile(flag, path, () => {
      const found = statSync(path, { throwIfNoEntry: false });
      if (found?.isDirectory()) throw new Error('it is a folder');
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
    throw new UsageError(`--${flag} is '${path}': ${(error as Error).message}`);
  }
}
