import { setFlagsFromString } from 'node:v8';

// What a program loads lives long: memory for the short-lived, grown on its account, would stay empty afterwards.
setFlagsFromString('--semi-space-growth-factor=1');
// Garbage is looked for before there is as much of it as of what is in use.
setFlagsFromString('--heap-growing-percent=50');
