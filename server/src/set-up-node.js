import { enableCompileCache } from 'node:module';
import { fileURLToPath } from 'node:url';
import { setFlagsFromString } from 'node:v8';

// What a program loads lives long: memory for the short-lived, grown on its account, would stay empty afterwards.
setFlagsFromString('--semi-space-growth-factor=1');
// Garbage is looked for before there is as much of it as of what is in use.
setFlagsFromString('--heap-growing-percent=50');

// Plain JavaScript, so that nothing is compiled before the cache is there: a second start takes half the time, and
// does not even load what strips the types. The cache lies with the program, where nobody else can write. V8 takes
// from it only what was compiled under the same flags.
process.env.NODE_COMPILE_CACHE ??= fileURLToPath(new URL('../node_modules/.cache/petstore', import.meta.url));
enableCompileCache(process.env.NODE_COMPILE_CACHE);
