import { createHmac } from 'node:crypto';
import { NO_QUOTA } from '../domain/quotas.ts';
import { ApiError } from '../http/errors.ts';
import type { Services } from '../http/operations/operation.ts';
import { type Allowance, countAttempt, type RightTry } from '../rate-limiting/count-attempts.ts';

/** All but `perAddress` count tries of one password; a right one ends the count of its visitor or device. */
export interface AttemptLimits {
  readonly perAddress: number;
  readonly perAccount: number;
  /** By strangers, for one account, from one network address; `perAccount` unless given. */
  readonly perVisitor?: number;
  /** From a browser that signed in to the account before, or from an open session; `perAccount` unless given. */
  readonly perDevice?: number;
}

const defaultLimits: AttemptLimits = { perAddress: 60, perAccount: 20, perVisitor: 5, perDevice: 10 };

const MINUTE_MS = 60_000n;
const DAY_MS = 24n * 60n * MINUTE_MS;

type Needed = Services & { readonly secret: string; readonly limits?: AttemptLimits | undefined };
type Visit = { readonly address: string; readonly email: string };

/** Counts tries in the database, so that all replicas share one count; throws once a limit is passed. */
export function attemptLimiter({ writer, secret, limits = defaultLimits, quotas, clock }: Needed) {
  const { perAddress, perAccount, perVisitor = perAccount, perDevice = perAccount } = limits;
  const allowance = (most: number | bigint, window: bigint | undefined, ...parts: string[]): Allowance => ({
    bucket: createHmac('sha256', secret).update(parts.join('\n')).digest('base64url'),
    most: BigInt(most),
    window,
  });
  const inAMinute = (most: number, ...parts: string[]) => allowance(most, MINUTE_MS, ...parts);
  const thenSlower = (most: number, ...parts: string[]) => allowance(most, undefined, ...parts);

  async function count(...allowances: Allowance[]): Promise<void> {
    const { until } = await writer.apply(countAttempt, { allowances, at: BigInt(clock()) });
    if (until === null) return;
    const seconds = Math.max(1, Math.ceil((Number(until) - clock()) / 1000));
    const message = 'There were too many attempts; see Retry-After.';
    throw new ApiError('rate_limited', message, ['retry-after', String(seconds)]);
  }

  /** No stranger's guesses stand in the way of a browser or a session that the account knows. */
  async function known({ address, email }: Visit, ...parts: string[]): Promise<RightTry> {
    const own = thenSlower(perDevice, 'password', ...parts);
    await count(own, inAMinute(perAddress, 'known', address), inAMinute(perAddress, 'known account', email));
    return { forget: [own.bucket], undo: [] };
  }

  return {
    signUp: ({ address, email }: Visit) =>
      count(inAMinute(perAddress, 'address', address), inAMinute(perAccount, 'sign-up', email)),

    /** A key cannot be guessed; this bounds what trying costs us. */
    openWithKey: (address: string) => count(inAMinute(perAddress, 'key', address)),

    async newStore(address: string): Promise<void> {
      if (quotas.newStores >= NO_QUOTA) return;
      await count(allowance(quotas.newStores, DAY_MS, 'store', address));
    },

    async signIn({ address, email, device }: Visit & { device: string | undefined }): Promise<RightTry> {
      if (device !== undefined) return known({ address, email }, 'device', device, email);
      const visitor = thenSlower(perVisitor, 'visitor', address, email);
      const account = thenSlower(perAccount, 'account', email);
      await count(inAMinute(perAddress, 'address', address), visitor, account);
      return { forget: [visitor.bucket], undo: [account.bucket] };
    },

    inSession: (sessionId: string, visit: Visit) => known(visit, 'session', sessionId),
  };
}
