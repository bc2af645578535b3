import './set-up-memory.js';
import { enableCompileCache } from 'node:module';
import { fileURLToPath } from 'node:url';

// Plain JavaScript, so that nothing is compiled before the cache is there: a second start takes half the time, and
// does not even load what strips the types. The cache lies with the program, where nobody else can write. V8 takes
// from it only what was compiled under the same flags.
process.env.NODE_COMPILE_CACHE ??= fileURLToPath(new URL('../node_modules/.cache/petstore', import.meta.url));
enableCompileCache(process.env.NODE_COMPILE_CACHE);
