import type { KeyScope } from '../../vocabulary.ts';

export interface Caller {
  readonly keyId: string;
  readonly storeId: bigint;
  readonly tenantId: bigint;
  readonly scope: KeyScope;
  /** When its store ends; null for one that does not. */
  readonly endsAt: bigint | null;
  /** The console session that the key was made for; null for any other key. */
  readonly sessionId?: string | null;
  /** When the key was last used, as far as that is written down. */
  readonly lastUsedAt?: bigint | null;
  /** The store's revision when the key was checked: the request's answer is at least that new. */
  readonly revision: bigint;
  /** Until when faults are armed for its requests; null where none are. The console's own requests never fail. */
  readonly faultsUntil: bigint | null;
}

export type RefusedKey = Pick<Caller, 'keyId' | 'storeId'>;

/** Undefined for a key that does not work. */
export type FindCaller = (key: string) => Promise<Caller | undefined>;
