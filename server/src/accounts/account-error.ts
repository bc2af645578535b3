import { Refusal } from '../refusal.ts';

export type AccountErrorCode = 'weak_password' | 'same_password' | 'invalid_credentials' | 'not_signed_in';

/** What someone may not do with an account; the code says why. */
export class AccountError extends Error {
  override name = 'AccountError';
  readonly code: AccountErrorCode;
  /** `words` say it better than the code alone does. */
  constructor(code: AccountErrorCode, words?: string) {
    super(words);
    this.code = code;
  }
}

/** For a verb that refuses what is no longer there: to whoever asked, that means this. */
export function refusedAs(code: AccountErrorCode) {
  return (error: unknown): never => {
    throw error instanceof Refusal ? new AccountError(code) : error;
  };
}
