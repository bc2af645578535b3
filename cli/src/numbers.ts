import { plainDigits } from '../../client/src/id.ts';
import { UsageError } from '../../server/src/config/usage-error.ts';

const MAX_INT64 = 2n ** 63n - 1n;

/** Parses a decimal 64-bit integer exactly. */
export function int64From(what: string, text: string | boolean | undefined, least = 0n): bigint {
  const written = String(text);
  const value = plainDigits.test(written) ? BigInt(written) : undefined;
  if (value !== undefined && value >= least && value <= MAX_INT64) return value;
  throw new UsageError(`invalid ${what} '${written}': must be a whole number from ${least} to ${MAX_INT64}`);
}

interface Range {
  readonly minimum: number;
  readonly maximum: number;
}

export function countFrom(what: string, text: string | boolean, { minimum, maximum }: Range): number {
  const number = Number(text);
  if (/^\d{1,15}$/.test(String(text)) && number >= minimum && number <= maximum) return number;
  throw new UsageError(`invalid ${what} '${text}': must be a whole number from ${minimum} to ${maximum}`);
}
