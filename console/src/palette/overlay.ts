import { sharedValue } from '../watched-value.ts';

/** What is open above the page: the command palette or the keyboard shortcuts. */
export const overlay = sharedValue<'palette' | 'shortcuts' | undefined>(undefined);

/** The platform's name of the modifier key: ⌘ on Apple devices. */
const isApple = /Mac|iPhone|iPad/.test(navigator.userAgent);
export const paletteKeys = isApple ? '⌘K' : 'Ctrl K';
