import { createHmac } from 'node:crypto';
import { ApiError } from '../http/errors.ts';
import { NO_QUOTA } from '../quotas.ts';
import { type Allowance, countAttempt, type RightTry } from '../stores/count-attempts.ts';
import type { Writer } from '../writer/writer.ts';

/**
 * Beyond `perAddress`, tries are refused for a minute; beyond the others, each further try waits longer than the one
 * before.
 */
export interface AttemptLimits {
  /** Sign-ups and sign-ins in a minute from one network address. */
  readonly perAddress: number;
  /** Passwords that strangers may try for one account. */
  readonly perAccount: number;
  /** The same from one network address; `perAccount` unless given. */
  readonly perVisitor?: number;
  /** The same from a browser that signed in to the account before, or from an open session. */
  readonly perDevice?: number;
}
export const defaultLimits: AttemptLimits = { perAddress: 60, perAccount: 20, perVisitor: 5, perDevice: 10 };

const MINUTE_MS = 60_000n;
const DAY_MS = 24n * 60n * MINUTE_MS;

export interface LimiterOptions {
  readonly writer: Writer;
  readonly secret: string;
  readonly limits: AttemptLimits;
  readonly newStores: bigint;
  readonly now: () => number;
}

interface Visit {
  readonly address: string;
  readonly email: string;
}

/** Counts attempts in the database, so that all replicas share one count; throws once a limit is passed. */
export function attemptLimiter({ writer, secret, limits, newStores, now }: LimiterOptions) {
  const { perAccount, perVisitor = perAccount, perDevice = perAccount } = limits;
  // The table tells nobody which addresses were tried.
  const bucket = (...parts: string[]) =>
    createHmac('sha256', secret).update(parts.join('\n')).digest('base64url');
  const aMinute = (purpose: string, who: string): Allowance => ({
    bucket: bucket(purpose, who),
    most: BigInt(limits.perAddress),
    window: MINUTE_MS,
  });

  async function count(allowances: readonly Allowance[], right: RightTry): Promise<RightTry> {
    const { until } = await writer.apply(countAttempt, { allowances, at: BigInt(now()) });
    if (until === null) return right;
    const seconds = Math.max(1, Math.ceil((Number(until) - now()) / 1000));
    const message = 'There were too many attempts; see Retry-After.';
    throw new ApiError('rate_limited', message, ['retry-after', String(seconds)]);
  }

  const noneRight: RightTry = { forget: [], undo: [] };

  /**
   * No stranger's guesses stand in the way of a browser or session that the account knows. Its tries cost as much, so
   * they are also counted by address and by account.
   */
  const known = ({ address, email }: Visit, ...parts: string[]) => {
    const own = { bucket: bucket('password', ...parts), most: BigInt(perDevice) };
    const often = [aMinute('known', address), aMinute('known account', email)];
    return count([own, ...often], { forget: [own.bucket], undo: [] });
  };

  return {
    signUp: ({ address, email }: Visit) =>
      count(
        [
          aMinute('address', address),
          { bucket: bucket('sign-up', email), most: BigInt(perAccount), window: MINUTE_MS },
        ],
        noneRight,
      ),

    /** A key cannot be guessed; this bounds what trying costs us. */
    openWithKey: (address: string) => count([aMinute('key', address)], noneRight),

    newStore: (address: string) =>
      newStores >= NO_QUOTA
        ? noneRight
        : count([{ bucket: bucket('store', address), most: newStores, window: DAY_MS }], noneRight),

    signIn({ address, email, device }: Visit & { device: string | undefined }) {
      if (device !== undefined) return known({ address, email }, 'device', device, email);
      const visitor = { bucket: bucket('visitor', address, email), most: BigInt(perVisitor) };
      const account = { bucket: bucket('account', email), most: BigInt(perAccount) };
      return count([aMinute('address', address), visitor, account], {
        forget: [visitor.bucket],
        undo: [account.bucket],
      });
    },

    inSession: (sessionId: string, visit: Visit) => known(visit, 'session', sessionId),
  };
}
