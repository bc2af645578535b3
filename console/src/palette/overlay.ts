import { sharedValue } from '../shared-value.ts';

/** What is open above the page: the command palette or the keyboard shortcuts. */
export const overlay = sharedValue<'palette' | 'shortcuts' | undefined>(undefined);

const isApple = /Mac|iPhone|iPad/.test(navigator.userAgent);
/** The shortcut that opens the palette, as the platform writes it. */
export const paletteKeys = isApple ? '⌘K' : 'Ctrl K';
