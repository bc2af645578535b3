import { sharedValue } from '../watched-value.ts';
import type { NewKey } from './console-api.ts';

interface UnsavedKey {
  readonly made: NewKey;
  /** Whether it is the first key, which is shown on the welcome page. */
  readonly isFirst: boolean;
  /** Once copied, the page may be left. */
  readonly isCopied?: boolean;
}

/** A new key. The service returns it once, so it is kept in memory across pages until it is saved. */
export const unsavedKey = sharedValue<UnsavedKey | undefined>(undefined);

/** Whether leaving now would lose the key. */
export const isHeld = (key: UnsavedKey | undefined) => key !== undefined && !key.isCopied;

/** Number of attempts to leave before the key was saved. */
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

/** Blocks a link that would lose an unsaved key. */
export function stayForKey(event: { preventDefault(): void }): void {
  if (!isHeld(unsavedKey.get())) return;
  heldBack.set(heldBack.get() + 1);
  event.preventDefault();
}

export const whyHeld = "Copy the key before you leave. It can't be shown again.";
