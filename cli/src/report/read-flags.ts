import { UsageError } from '../../../server/src/config/usage-error.ts';
import type { Values } from '../flags.ts';
import { didYouMean } from '../suggest.ts';

/** The entries selected by `--only`, in their original order; all without it. */
export function onlyOf<T extends { readonly id: string }>(all: readonly T[], { only }: Values): readonly T[] {
  if (only === undefined) return all;
  const names = String(only).split(',');
  const ids = all.map(({ id }) => id);
  const unknown = names.find((name) => !ids.includes(name));
  if (unknown !== undefined)
    throw new UsageError(
      `unknown question '${unknown}' in --only${didYouMean(unknown, ids)}; run with --list to see all`,
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
