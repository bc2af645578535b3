import { go } from './go.ts';
import { java } from './java.ts';
import { javascript } from './javascript.ts';
import { python } from './python.ts';

/** Starter clients by language. Each passes every check of `petstore check-client`. */
export const templates = { python, javascript, java, go } as const;
