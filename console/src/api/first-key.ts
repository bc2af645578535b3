import { sharedValue } from '../watched-value.ts';
import type { NewKey } from './console-api.ts';

/** The key made at sign-up. The service tells it once, so it is kept here until it was seen. */
export const firstKey = sharedValue<NewKey | undefined>(undefined);
