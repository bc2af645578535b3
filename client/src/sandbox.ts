import { AuthenticationError, ignoreIfAlreadyDone } from './errors.ts';
import { type Result, resultOf } from './result.ts';
import type { CallOptions, Send } from './send.ts';
import type {
  ArmedFault,
  FaultInput,
  NewStore,
  NewStoreInput,
  ResetInput,
  StoreData,
  StoreReset,
} from './types.generated.ts';

/** Staging only: store contents and faults for tests. */
export interface Sandbox {
  /** Replaces everything in the store. */
  reset(input?: ResetInput, options?: CallOptions): Result<StoreReset>;
  /** All pets and orders of the store, in the form that `reset({ data })` accepts. */
  data(options?: CallOptions): Result<StoreData>;
  /** Creates a temporary store with its own key. */
  openStore(input?: NewStoreInput, options?: CallOptions): Result<NewStore>;
  /** Deletes the key's store, if it was created by `openStore`. */
  endStore(options?: CallOptions): Promise<void>;
  faults(options?: CallOptions): Result<readonly ArmedFault[]>;
  /** Replaces the armed faults. */
  setFaults(faults: readonly FaultInput[], options?: CallOptions): Result<readonly ArmedFault[]>;
  clearFaults(options?: CallOptions): Result<void>;
}

export function sandboxOf(send: Send): Sandbox {
  const path = '/v2/sandbox/faults';
  return {
    reset(body = { dataSet: 'default' }, options) {
      const call = { method: 'POST', path: '/v2/sandbox/reset', body, retry: 'always' } as const;
      return resultOf(send<StoreReset>(call, options));
    },
    data: (options) =>
      resultOf(send<StoreData>({ method: 'GET', path: '/v2/sandbox/data', retry: 'always' }, options)),
    openStore(body = {}, options) {
      // A store whose response was lost expires automatically.
      const call = { method: 'POST', path: '/v2/sandbox/stores', body, retry: 'always' } as const;
      return resultOf(send<NewStore>(call, options));
    },
    endStore(options) {
      const call = { method: 'DELETE', path: '/v2/sandbox/stores/current', retry: 'always' } as const;
      // The key is deleted with its store: a repeated request gets 401.
      return ignoreIfAlreadyDone(AuthenticationError, send(call, options));
    },
    faults: (options) =>
      resultOf(send<readonly ArmedFault[]>({ method: 'GET', path, retry: 'always' }, options)),
    setFaults: (body, options) =>
      resultOf(send<readonly ArmedFault[]>({ method: 'PUT', path, body, retry: 'always' }, options)),
    clearFaults: (options) => resultOf(send<void>({ method: 'DELETE', path, retry: 'always' }, options)),
  };
}
