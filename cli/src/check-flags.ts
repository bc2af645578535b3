import { didYouMean } from '../../checks/src/engine/suggest.ts';
import type { ReportFiles } from '../../checks/src/engine/write-reports.ts';
import { UsageError } from '../../server/src/config/usage-error.ts';
import type { Flags } from './command-group.ts';
import type { Values } from './flags.ts';

/** Flags of every check. None has an environment variable: each is meant for one run. */
export const checkFlags: Flags = {
  only: { value: 'ID,…', help: 'Run only these IDs (see --list)', variable: false },
  list: { help: 'Print all IDs and exit', variable: false },
  json: { help: 'Print JSON on standard output, and progress on standard error', variable: false },
  junit: { value: 'FILE', help: 'Also write a JUnit XML report', variable: false },
  html: { value: 'FILE', help: 'Also write an HTML report', variable: false },
  badge: { value: 'FILE', help: 'Also write an SVG badge with the score, for a README', variable: false },
  timeout: { value: 'SECONDS', help: 'Timeout of each run (default 60)', variable: false },
};

/** The report files that the flags name. */
export function reportFilesOf(values: Values): ReportFiles {
  const flags = ['junit', 'html', 'badge'].filter((flag) => values[flag] !== undefined);
  return Object.fromEntries(flags.map((flag) => [flag, String(values[flag])]));
}

/** The entries selected by `--only`, in their original order; all without it. */
export function filterByOnly<T extends { readonly id: string }>(
  all: readonly T[],
  { only }: Values,
): readonly T[] {
  if (only === undefined) return all;
  const names = String(only).split(',');
  const ids = all.map(({ id }) => id);
  const unknown = names.find((name) => !ids.includes(name));
  if (unknown !== undefined)
    throw new UsageError(
      `unknown check '${unknown}' in --only${didYouMean(unknown, ids)}; run with --list to see all`,
    );
  return all.filter(({ id }) => names.includes(id));
}

export const secondsOf = ({ timeout }: Values): number => numberOf('timeout', timeout, 60);

/** A positive integer flag with a default. */
export function numberOf(name: string, given: Values[string] | undefined, fallback: number): number {
  if (given === undefined) return fallback;
  if (!/^[1-9]\d{0,4}$/.test(String(given)))
    throw new UsageError(`invalid --${name} '${given}': must be a whole number from 1 to 99999`);
  return Number(given);
}
