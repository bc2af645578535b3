import type { KeyScope } from '../../vocabulary.ts';

/** Everything a request needs to know about who is asking. */
export interface Caller {
  readonly keyId: string;
  readonly storeId: bigint;
  /** By whom its limits are counted. */
  readonly tenantId: bigint;
  readonly scope: KeyScope;
  /** The console session that the key was made for; null for any other key. */
  readonly sessionId?: string | null;
  /** The store's revision when the key was checked: the request's answer is at least that new. */
  readonly revision: bigint;
  /** Until when faults are armed for its requests; null where none are. The console's own requests never fail. */
  readonly faultsUntil: bigint | null;
}

/** A key that does not work, or not any more, and the store that it is of. */
export type RefusedKey = Pick<Caller, 'keyId' | 'storeId'>;

/** Tells who the caller is: nobody, if the key is not a working one. */
export type FindCaller = (key: string) => Promise<Caller | undefined>;
