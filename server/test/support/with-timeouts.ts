import { timeouts } from '../../src/config/timeouts.ts';

/** Sets timeouts of the services and commands in this process, and of the threads they start, until it is disposed. */
export function withTimeouts(some: Partial<typeof timeouts>): Disposable {
  const { PETSTORE_TIMEOUTS: variable } = process.env;
  const before = { ...timeouts };
  Object.assign(timeouts, some);
  process.env.PETSTORE_TIMEOUTS = JSON.stringify(timeouts);
  return {
    [Symbol.dispose]() {
      Object.assign(timeouts, before);
      if (variable === undefined) delete process.env.PETSTORE_TIMEOUTS;
      else process.env.PETSTORE_TIMEOUTS = variable;
    },
  };
}
