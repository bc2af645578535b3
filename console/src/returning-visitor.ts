import { sharedValue } from './shared-value.ts';

const NAME = 'petstore-been-here';

/** Whether this browser has signed in before; decides between the sign-in and the sign-up page. */
export function isReturningVisitor(): boolean {
  try {
    return localStorage.getItem(NAME) !== null;
  } catch {
    return true;
  }
}

export function saveVisit(): void {
  try {
    localStorage.setItem(NAME, 'yes');
  } catch {
    // Without storage, every visitor counts as returning.
  }
}

/** The email of the account that was just deleted, for the confirmation on the sign-up page. */
export const deletedAccount = sharedValue<string | undefined>(undefined);

export function forgetVisit(email: string): void {
  deletedAccount.set(email);
  try {
    localStorage.removeItem(NAME);
  } catch {
    // Without storage, there is nothing to remove.
  }
}
