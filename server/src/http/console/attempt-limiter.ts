import { createHmac } from 'node:crypto';
import type { Writer } from '../../writer/writer.ts';

/** How often a password may be tried in a minute, from one network address and for one account. */
export interface AttemptLimits {
  readonly perAddress: number;
  readonly perAccount: number;
}
export const defaultLimits: AttemptLimits = { perAddress: 60, perAccount: 10 };

/** Too many attempts; another one may be made at `until`. */
export class TooManyAttempts extends Error {
  override name = 'TooManyAttempts';
  readonly until: number;
  constructor(until: number) {
    super('too many attempts');
    this.until = until;
  }
}

export interface Attempt {
  readonly action: 'sign-in' | 'sign-up';
  readonly address: string;
  readonly email: string;
}

/** Counts attempts in the database, so that all replicas share one count; throws once a limit is passed. */
export function attemptLimiter({
  writer,
  secret,
  limits,
}: {
  writer: Writer;
  secret: string;
  limits: AttemptLimits;
}): (attempt: Attempt, at: bigint) => Promise<void> {
  // The table tells nobody which addresses were tried.
  const bucket = (...parts: string[]) =>
    createHmac('sha256', secret).update(parts.join('\n')).digest('base64url');
  return async ({ action, address, email }, at) => {
    const buckets = [bucket(action, 'address', address), bucket(action, 'account', email)];
    const counts = await writer.apply('countAttempts', { buckets, at });
    const most = [limits.perAddress, limits.perAccount];
    const ends = counts.flatMap(({ count, endsAt }, index) => (count > (most[index] ?? 0) ? [endsAt] : []));
    if (ends.length > 0) throw new TooManyAttempts(Math.max(...ends.map(Number)));
  };
}
