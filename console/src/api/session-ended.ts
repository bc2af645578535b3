import { sharedValue } from '../shared-value.ts';

/** Whether the session ended while the page is open. */
export const sessionEnded = sharedValue(false);
