import { sharedValue } from '../shared-value.ts';

/** Whether the session of this page ended while someone is still looking at it. */
export const sessionEnded = sharedValue(false);
