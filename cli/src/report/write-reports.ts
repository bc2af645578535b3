import { writeFileSync } from 'node:fs';
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

export function writeReports(report: Report, { junit, html }: Values): void {
  if (junit !== undefined) writeFileSync(String(junit), junitOf(report));
  if (html !== undefined) writeFileSync(String(html), htmlOf(report));
}
