import { hash as digest, randomBytes, type ScryptOptions, scrypt, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';
import { type AccountEvent, type EventName, recordEvent } from '../audit-log/audit-log.ts';
import { query } from '../database/query.ts';
import { ApiError } from '../http/errors.ts';
import type { Services } from '../http/operations/operation.ts';
import { isEmail } from './account-bodies.ts';
import { weaknessOf } from './password-rules.ts';

export interface PasswordHasher {
  hash(password: string): Promise<string>;
  verify(given: { hash: string; password: string }): Promise<boolean>;
}

const [N, r, p] = [16_384, 16, 1];
const cost: ScryptOptions = { N, r, p, maxmem: 2 * 128 * N * r };
const KEY_BYTES = 64;
const SALT_BYTES = 16;

/** Stored as `salt:key`, both hexadecimal. The salt is used as its hexadecimal text. */
export const scryptHasher: PasswordHasher = {
  async hash(password) {
    const salt = randomBytes(SALT_BYTES).toString('hex');
    return `${salt}:${(await derive(password, salt)).toString('hex')}`;
  },
  async verify({ hash, password }) {
    const [salt = '', key = ''] = hash.split(':');
    const [expected, given] = [Buffer.from(key, 'hex'), await derive(password, salt)];
    return expected.length === given.length && timingSafeEqual(expected, given);
  },
};

const scryptKey = promisify<string, string, number, ScryptOptions, Buffer>(scrypt);

function derive(password: string, salt: string): Promise<Buffer> {
  return scryptKey(password.normalize('NFKC'), salt, KEY_BYTES, cost);
}

/** libuv has four threads for the whole process: two stay free for other work. */
export const hashLimits = { running: 2, waiting: 64 } as const;

/** Round-robin queue: each round has one hash per address. */
const queue: Array<{ address: string; round: number; started: PromiseWithResolvers<void> }> = [];
let round = 0;
let freePermits: number = hashLimits.running;

/** Semaphore with a fair queue by address. If the queue is full, the last hash of the busiest address is rejected. */
async function queued<T>(address: string, hash: () => Promise<T>): Promise<T> {
  if (freePermits > 0) freePermits--;
  else await enqueue(address);
  try {
    return await hash();
  } finally {
    const next = queue.shift();
    if (!next) freePermits++;
    else {
      round = next.round;
      next.started.resolve();
    }
  }
}

function enqueue(address: string): Promise<void> {
  const started = Promise.withResolvers<void>();
  const previous = queue.findLast((waiter) => waiter.address === address);
  queue.push({ address, round: (previous?.round ?? round) + 1, started });
  queue.sort((a, b) => a.round - b.round);
  if (queue.length > hashLimits.waiting) queue.pop()?.started.reject(new ApiError('unavailable'));
  return started.promise;
}

type LogEvent = (event: AccountEvent) => void;
export type WrapHasher = (hasher: PasswordHasher) => PasswordHasher;
type Options = Services & { readonly secret: string; readonly wrapHasher?: WrapHasher | undefined };

export function createPasswords({ db, writer, secret, clock, wrapHasher }: Options, logEvent: LogEvent) {
  const hasher = wrapHasher?.(scryptHasher) ?? scryptHasher;
  const hash = (password: string, address: string) => queued(address, () => hasher.hash(password));

  /** The account id in events of unknown email addresses: one of 16, so that guesses do not fill the audit log. */
  const placeholder = (email: string) => `nobody ${digest('sha256', `${secret}\n${email}`).slice(0, 1)}`;

  return {
    hash,

    /** Checks a password. Does the same work whether or not the account exists. */
    async check(given: { email: string; password: string }, address: string, eventIfWrong: EventName) {
      const { email, password } = given;
      const [account] = isEmail(email) ? await db.all(findAccount, { email }) : [];
      if (!account) await hash(password, address);
      else if (await queued(address, () => hasher.verify({ hash: account.passwordHash, password })))
        return account;
      const at = BigInt(clock());
      const event = { what: eventIfWrong, accountId: account?.accountId ?? 'unknown', address, at };
      await writer.apply(recordEvent, { ...event, placeholder: placeholder(email) });
      logEvent(event);
      throw new ApiError('invalid_credentials');
    },
  };
}

export function rejectWeakPassword(password: string, email: string): void {
  const weakness = weaknessOf(password, email);
  if (weakness !== undefined)
    throw new ApiError('weak_password', `This password ${weakness}. Choose another.`);
}

const findAccount = query((db, p: { email: string }) =>
  db
    .selectFrom('accounts')
    .innerJoin('credentials', 'credentials.account_id', 'accounts.id')
    .select(['accounts.id as accountId', 'credentials.password as passwordHash'])
    .where('accounts.email', '=', p.email),
);
