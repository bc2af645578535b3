import { type SharedValue, sharedValue } from '../shared-value.ts';
import type { NewKey } from './console-api.ts';

interface UnsavedKey {
  readonly created: NewKey;
  /** Whether it is the first key, which is shown on the welcome page. */
  readonly isFirst: boolean;
  /** Once copied, the page may be left. */
  readonly isCopied?: boolean;
}

const STORAGE_KEY = 'petstore-new-key';

/** A new key. The service returns it once, so this tab stores it, also across reloads, until it is copied or saved. */
export const unsavedKey = storedInTab(sharedValue(readStored()));

function readStored(): UnsavedKey | undefined {
  try {
    return JSON.parse(sessionStorage.getItem(STORAGE_KEY) ?? 'null') ?? undefined;
  } catch {
    // Without storage, a reload loses the key.
    return undefined;
  }
}

function storedInTab(value: SharedValue<UnsavedKey | undefined>): SharedValue<UnsavedKey | undefined> {
  return {
    ...value,
    set(next) {
      value.set(next);
      try {
        if (isUnsaved(next)) sessionStorage.setItem(STORAGE_KEY, JSON.stringify(next));
        else sessionStorage.removeItem(STORAGE_KEY);
      } catch {
        // Without storage, a reload loses the key.
      }
    },
  };
}

/** Whether leaving now would lose the key. */
export function isUnsaved(key: UnsavedKey | undefined): boolean {
  return key !== undefined && !key.isCopied;
}

/** Number of attempts to leave before the key was saved. */
export const blockedExits = sharedValue(0);

export const clearUnsavedKey = () => {
  blockedExits.set(0);
  unsavedKey.set(undefined);
};

export const markKeyCopied = () => {
  const key = unsavedKey.get();
  blockedExits.set(0);
  if (key) unsavedKey.set({ ...key, isCopied: true });
};

/** Blocks a link that would lose an unsaved key. */
export function blockExitWithUnsavedKey(event: { preventDefault(): void }): void {
  if (!isUnsaved(unsavedKey.get())) return;
  blockedExits.set(blockedExits.get() + 1);
  event.preventDefault();
}

export const SAVE_KEY_FIRST = "Copy the key before you leave. It can't be shown again.";
