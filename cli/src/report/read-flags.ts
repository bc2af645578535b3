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

export function secondsOf({ timeout = '60' }: Values): number {
  const seconds = Number(timeout);
  if (!(seconds > 0 && seconds <= 86_400))
    throw new UsageError(`--timeout is '${timeout}': it must be a number of seconds, up to a day`);
  return seconds;
}
