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

/** A hash is written `salt:key`, both in hexadecimal. It is the salt's text that goes into the key. */
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

/** libuv has four threads for the whole process: two stay free for everything else. */
export const hashLimits = { running: 2, waiting: 64 } as const;

/** Those that wait, in their order: in each round, one of every address. */
const waiting: Array<{ address: string; round: number; turn: PromiseWithResolvers<void> }> = [];
let round = 0;
let free: number = hashLimits.running;

/** Hashes now, or when it is the address's turn. Beyond so many that wait, the last of whoever has most is refused. */
async function inTurn<T>(address: string, hash: () => Promise<T>): Promise<T> {
  if (free > 0) free--;
  else await turnOf(address);
  try {
    return await hash();
  } finally {
    const next = waiting.shift();
    if (!next) free++;
    else {
      round = next.round;
      next.turn.resolve();
    }
  }
}

function turnOf(address: string): Promise<void> {
  const turn = Promise.withResolvers<void>();
  const before = waiting.findLast((one) => one.address === address);
  waiting.push({ address, round: (before?.round ?? round) + 1, turn });
  waiting.sort((a, b) => a.round - b.round);
  if (waiting.length > hashLimits.waiting) waiting.pop()?.turn.reject(new ApiError('unavailable'));
  return turn.promise;
}

type Tell = (event: AccountEvent) => void;
export type WrapHasher = (hasher: PasswordHasher) => PasswordHasher;
type Needed = Services & { readonly secret: string; readonly wrapHasher?: WrapHasher | undefined };

export function openPasswords({ db, writer, secret, clock, wrapHasher }: Needed, tell: Tell) {
  const hasher = wrapHasher?.(scryptHasher) ?? scryptHasher;
  const hash = (password: string, address: string) => inTurn(address, () => hasher.hash(password));

  /** Stands for the account in events of an address that has none. There are 16, so that no more is kept of guesses. */
  const nobody = (email: string) => `nobody ${digest('sha256', `${secret}\n${email}`).slice(0, 1)}`;

  return {
    hash,

    /** Finds the account whose password this is. The same work is done whether or not there is one. */
    async check(given: { email: string; password: string }, address: string, rejected: EventName) {
      const { email, password } = given;
      const [account] = isEmail(email) ? await db.all(findAccount, { email }) : [];
      if (!account) await hash(password, address);
      else if (await inTurn(address, () => hasher.verify({ hash: account.passwordHash, password })))
        return account;
      const at = BigInt(clock());
      const event = { what: rejected, accountId: account?.accountId ?? 'unknown', address, at };
      await writer.apply(recordEvent, { ...event, nobody: nobody(email) });
      tell(event);
      throw new ApiError('invalid_credentials');
    },
  };
}

export function rejectWeakPassword(password: string, email: string): void {
  const weakness = weaknessOf(password, email);
  if (weakness !== undefined)
    throw new ApiError('weak_password', `That password is too easy to guess. ${weakness}: choose another.`);
}

const findAccount = query((db, p: { email: string }) =>
  db
    .selectFrom('accounts')
    .innerJoin('credentials', 'credentials.account_id', 'accounts.id')
    .select(['accounts.id as accountId', 'credentials.password as passwordHash'])
    .where('accounts.email', '=', p.email),
);
