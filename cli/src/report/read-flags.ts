import { UsageError } from '../../../server/src/config/usage-error.ts';
import type { Values } from '../flags.ts';

/** Those that `--only` names, in their own order; all without it. */
export function onlyOf<T extends { readonly id: string }>(all: readonly T[], { only }: Values): readonly T[] {
  if (only === undefined) return all;
  const names = String(only).split(',');
  const unknown = names.find((name) => !all.some(({ id }) => id === name));
  if (unknown !== undefined)
    throw new UsageError(`--only: there is no '${unknown}'; --list shows what there is`);
  return all.filter(({ id }) => names.includes(id));
}

export const secondsOf = ({ timeout }: Values): number => numberOf('timeout', timeout, 60);

/** A number above nought, as a person counts. */
export function numberOf(name: string, given: Values[string] | undefined, otherwise: number): number {
  if (given === undefined) return otherwise;
  if (!/^[1-9]\d{0,4}$/.test(String(given)))
    throw new UsageError(`--${name} is '${given}': it must be a whole number from 1 to 99999`);
  return Number(given);
}
