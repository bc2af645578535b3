import type { FlagName } from './flags.ts';
import { UsageError } from './usage-error.ts';

export function integer(
  name: FlagName,
  value: string | boolean | undefined,
  least: number,
  most: number,
): number | undefined {
  if (value === undefined) return undefined;
  const number = Number(value);
  if (!/^\d+$/.test(String(value)) || number < least || number > most) {
    throw new UsageError(`--${name} is '${value}': it must be a whole number from ${least} to ${most}`);
  }
  return number;
}

/** A number, or undefined for `none`. */
export function limit(name: FlagName, value: string | boolean): number | undefined {
  return value === 'none' ? undefined : integer(name, value, 1, 1_000_000_000);
}
