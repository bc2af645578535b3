import { Refusal } from '../../refusal.ts';

export type AccountErrorCode = 'weak_password' | 'invalid_credentials' | 'not_signed_in';

/** What someone may not do with an account; the code says why. */
export class AccountError extends Error {
  override name = 'AccountError';
  readonly code: AccountErrorCode;
  constructor(code: AccountErrorCode) {
    super(code);
    this.code = code;
  }
}

/** For a verb that refuses what is no longer there: to whoever asked, that means this. */
export function refusedAs(code: AccountErrorCode) {
  return (error: unknown): never => {
    throw error instanceof Refusal ? new AccountError(code) : error;
  };
}
