import { plainDigits } from '../../client/src/id.ts';
import { UsageError } from '../../server/src/config/usage-error.ts';

const MAX_INT64 = 2n ** 63n - 1n;

/** An integer as it was written, exact to 64 bits. */
export function int64From(what: string, text: string | boolean | undefined, least = 0n): bigint {
  const written = String(text);
  const value = plainDigits.test(written) ? BigInt(written) : undefined;
  if (value !== undefined && value >= least && value <= MAX_INT64) return value;
  throw new UsageError(`${what} is '${written}': it must be a whole number from ${least} to ${MAX_INT64}`);
}

export function countFrom(what: string, text: string | boolean, least: number, most: number): number {
  const number = Number(text);
  if (/^\d{1,15}$/.test(String(text)) && number >= least && number <= most) return number;
  throw new UsageError(`${what} is '${text}': it must be a whole number from ${least} to ${most}`);
}
