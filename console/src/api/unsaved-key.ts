import { sharedValue } from '../watched-value.ts';
import type { NewKey } from './console-api.ts';

interface UnsavedKey {
  readonly made: NewKey;
  /** Whether it is the one that comes with the sign-up, which has a page of its own. */
  readonly isFirst: boolean;
  /** Whether somebody copied it: then the page may be left. */
  readonly isCopied?: boolean;
}

/** A key that was just made. The service tells it once, so it is kept here, on every page, until it is saved. */
export const unsavedKey = sharedValue<UnsavedKey | undefined>(undefined);

/** Whether a key would be lost by leaving now. */
export const isHeld = (key: UnsavedKey | undefined) => key !== undefined && !key.isCopied;

/** How often someone wanted to go elsewhere before the key was saved. */
export const heldBack = sharedValue(0);

export const keySaved = () => {
  heldBack.set(0);
  unsavedKey.set(undefined);
};

export const keyCopied = () => {
  const key = unsavedKey.get();
  heldBack.set(0);
  if (key) unsavedKey.set({ ...key, isCopied: true });
};

/** A link that would lose a key that is not saved leads nowhere, and the page says why. */
export function stayForKey(event: { preventDefault(): void }): void {
  if (!isHeld(unsavedKey.get())) return;
  heldBack.set(heldBack.get() + 1);
  event.preventDefault();
}

export const whyHeld = "Copy the key before you leave. It can't be shown again.";
