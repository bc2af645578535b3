import { setFlagsFromString } from 'node:v8';

/** Once everything is loaded, memory for what is soon forgotten may grow as V8 usually lets it: see set-up-memory.js. */
export function endLoading(): void {
  setFlagsFromString('--semi-space-growth-factor=2');
}
