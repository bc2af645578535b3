import { Script } from 'node:vm';
import type { Job } from './background.ts';

/**
 * Lets a process that is idle give back within a minute what a flood of requests took; `npm run attack -- --only again`
 * shows it. V8 does so by itself, but only where Node's own objects on its heap were made lately: a script is one.
 */
export const givingMemoryBack: Job = {
  name: 'giving memory back',
  restMs: 30_000,
  async run() {
    new Script('');
  },
};
