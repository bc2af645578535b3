import { type Result, resultOf } from './result.ts';
import type { CallOptions, Send } from './send.ts';

/** What a store is filled with by a reset. */
export interface ResetInput {
  readonly dataSet: 'default' | 'empty' | 'int64' | 'large';
  readonly seed?: bigint | number | undefined;
  /** Only with `large`. */
  readonly orders?: number | undefined;
}

export interface StoreReset {
  readonly dataSet: ResetInput['dataSet'];
  readonly seed: bigint;
  readonly orders: number;
  readonly pets: number;
  readonly revision: bigint;
}

export interface FaultInput {
  /** Such as `v1.cancelOrder`; `*` for all but the sandbox's own. */
  readonly operation: string;
  readonly fault:
    | 'status'
    | 'delay'
    | 'slow'
    | 'drop'
    | 'reset'
    | 'truncate'
    | 'garbage'
    | 'lost-answer'
    | 'stale-connection';
  readonly parameters?: { readonly code?: number; readonly ms?: number } | undefined;
  /** How often it fires; null for always. */
  readonly times?: number | null | undefined;
  readonly probability?: number | undefined;
  readonly seed?: bigint | number | undefined;
}

export interface ArmedFault extends FaultInput {
  /** How often it has fired. */
  readonly fired: number;
}

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
