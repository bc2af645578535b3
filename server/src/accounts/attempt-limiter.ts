import { createHmac } from 'node:crypto';
import { NO_QUOTA } from '../domain/quotas.ts';
import { ApiError } from '../http/errors.ts';
import type { Services } from '../http/operations/operation.ts';
import { type Allowance, type AttemptRefund, countAttempt } from '../rate-limiting/count-attempts.ts';

/** Limits of attempts to sign up, to sign in and to confirm a password. A success resets the count of its visitor or device. */
export interface AttemptLimits {
  /** Per network address, for any account. */
  readonly perAddress: number;
  readonly perAccount: number;
  /** From unknown browsers at one network address, per account. Default: `perAccount`. */
  readonly perVisitor?: number;
  /** From one browser that has signed in to the account before, or in one session. Default: `perAccount`. */
  readonly perDevice?: number;
}

const defaultLimits: AttemptLimits = { perAddress: 60, perAccount: 20, perVisitor: 5, perDevice: 10 };

const MINUTE_MS = 60_000n;
const DAY_MS = 24n * 60n * MINUTE_MS;

type Options = Services & { readonly secret: string; readonly limits?: AttemptLimits | undefined };
type Visit = { readonly address: string; readonly email: string };

/** Counts attempts in the database, shared by all replicas; throws once a limit is exceeded. */
export function attemptLimiter({ writer, secret, limits = defaultLimits, quotas, clock }: Options) {
  const { perAddress, perAccount, perVisitor = perAccount, perDevice = perAccount } = limits;
  const allowance = (max: number | bigint, window: bigint | undefined, ...parts: string[]): Allowance => ({
    bucket: createHmac('sha256', secret).update(parts.join('\n')).digest('base64url'),
    max: BigInt(max),
    window,
  });
  const perMinute = (max: number, ...parts: string[]) => allowance(max, MINUTE_MS, ...parts);
  const withBackoff = (max: number, ...parts: string[]) => allowance(max, undefined, ...parts);

  async function count(...allowances: Allowance[]): Promise<void> {
    const { until } = await writer.apply(countAttempt, { allowances, at: BigInt(clock()) });
    if (until === null) return;
    const seconds = Math.max(1, Math.ceil((Number(until) - clock()) / 1000));
    const message = 'Too many attempts; see Retry-After.';
    throw new ApiError('rate_limited', message, ['retry-after', String(seconds)]);
  }

  /** Known browsers and sessions have their own buckets: failed attempts by others do not block them. */
  async function countKnownDevice({ address, email }: Visit, ...parts: string[]): Promise<AttemptRefund> {
    const own = withBackoff(perDevice, 'password', ...parts);
    await count(own, perMinute(perAddress, 'known', address), perMinute(perAddress, 'known account', email));
    return { reset: [own.bucket], undo: [] };
  }

  return {
    signUp: ({ address, email }: Visit) =>
      count(perMinute(perAddress, 'address', address), perMinute(perAccount, 'sign-up', email)),

    /** Keys cannot be guessed; this limits the load. */
    openWithKey: (address: string) => count(perMinute(perAddress, 'key', address)),

    async newStore(address: string): Promise<void> {
      if (quotas.newStores >= NO_QUOTA) return;
      await count(allowance(quotas.newStores, DAY_MS, 'store', address));
    },

    async signIn({ address, email, device }: Visit & { device: string | undefined }): Promise<AttemptRefund> {
      if (device !== undefined) return countKnownDevice({ address, email }, 'device', device, email);
      const visitor = withBackoff(perVisitor, 'visitor', address, email);
      const account = withBackoff(perAccount, 'account', email);
      await count(perMinute(perAddress, 'address', address), visitor, account);
      return { reset: [visitor.bucket], undo: [account.bucket] };
    },

    inSession: (sessionId: string, visit: Visit) => countKnownDevice(visit, 'session', sessionId),
  };
}
