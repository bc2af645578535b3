import { it } from 'vitest';
import { everyCase } from './effort.ts';

/** A test of the slow tier in a file of the fast tier, with which it shares its set-up. */
export const slowIt = it.runIf(everyCase);
