import { hash as digest } from 'node:crypto';
import { query } from '../database/query.ts';
import { ApiError } from '../http/errors.ts';
import { type AccountEvent, type EventName, recordEvent } from '../stores/account-events.ts';
import { isAddress } from './account-bodies.ts';
import type { ConsoleOptions } from './console-options.ts';
import { inTurn, scryptHasher } from './password-hasher.ts';
import { weaknessOf } from './password-rules.ts';

type Tell = (event: AccountEvent) => void;

export function openPasswords({ db, writer, secret, now, wrapHasher }: ConsoleOptions, tell: Tell) {
  const hasher = wrapHasher?.(scryptHasher) ?? scryptHasher;
  const hash = (password: string, address: string) => inTurn(address, () => hasher.hash(password));

  /** Stands for the account in events of an address that has none. There are 16, so that no more is kept of guesses. */
  const nobody = (email: string) => `nobody ${digest('sha256', `${secret}\n${email}`).slice(0, 1)}`;

  return {
    hash,

    /** Finds the account whose password this is. The same work is done whether or not there is one. */
    async check(given: { email: string; password: string }, address: string, refused: EventName) {
      const { email, password } = given;
      const [account] = isAddress(email) ? await db.all(findAccount, { email }) : [];
      if (!account) await hash(password, address);
      else if (await inTurn(address, () => hasher.verify({ hash: account.passwordHash, password })))
        return account;
      const at = BigInt(now());
      const event = { what: refused, accountId: account?.accountId ?? nobody(email), address, at };
      await writer.apply(recordEvent, event);
      tell({ ...event, accountId: account?.accountId ?? 'unknown' });
      throw new ApiError('invalid_credentials');
    },
  };
}

export function refuseWeak(password: string, email: string): void {
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
