import { sharedValue } from './watched-value.ts';

const NAME = 'petstore-been-here';

/** Whether somebody signed in with this browser before: a first visit is greeted as one. */
export function wasHere(): boolean {
  try {
    return localStorage.getItem(NAME) !== null;
  } catch {
    return true;
  }
}

export function rememberVisit(): void {
  try {
    localStorage.setItem(NAME, 'yes');
  } catch {
    // Without storage everyone is greeted as somebody who comes back.
  }
}

/** The address of an account that was just deleted, for its last word. */
export const deletedAccount = sharedValue<string | undefined>(undefined);

export function forgetVisit(email: string): void {
  deletedAccount.set(email);
  try {
    localStorage.removeItem(NAME);
  } catch {
    // Nothing was remembered.
  }
}
