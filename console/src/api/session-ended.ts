import { sharedValue } from '../watched-value.ts';

/** Whether the session of this page ended while someone is still looking at it. */
export const sessionEnded = sharedValue(false);
