import { type Result, resultOf } from './result.ts';
import type { CallOptions, Send } from './send.ts';
import type { ArmedFault, FaultInput, ResetInput, StoreReset } from './types.generated.ts';

/** Staging only: a store in any state, and failures on demand. */
export interface Sandbox {
  /** Replaces everything in the store. */
  reset(input?: ResetInput, options?: CallOptions): Result<StoreReset>;
  faults(options?: CallOptions): Result<readonly ArmedFault[]>;
  /** Replaces the faults that are armed. */
  setFaults(faults: readonly FaultInput[], options?: CallOptions): Result<readonly ArmedFault[]>;
  clearFaults(options?: CallOptions): Result<void>;
}

export function sandboxOf(send: Send): Sandbox {
  const path = '/v2/sandbox/faults';
  return {
    reset(body = { dataSet: 'default' }, options) {
      const call = { method: 'POST', path: '/v2/sandbox/reset', body, repeat: 'always' } as const;
      return resultOf(send<StoreReset>(call, options));
    },
    faults: (options) =>
      resultOf(send<readonly ArmedFault[]>({ method: 'GET', path, repeat: 'always' }, options)),
    setFaults: (body, options) =>
      resultOf(send<readonly ArmedFault[]>({ method: 'PUT', path, body, repeat: 'always' }, options)),
    clearFaults: (options) => resultOf(send<void>({ method: 'DELETE', path, repeat: 'always' }, options)),
  };
}
