import { go } from './go.ts';
import { java } from './java.ts';
import { javascript } from './javascript.ts';
import { python } from './python.ts';

/** Starter clients by language. Each passes every question. */
export const templates = { python, javascript, java, go } as const;
