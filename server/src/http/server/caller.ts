import type { KeyScope } from '../../vocabulary.ts';

export interface Caller {
  readonly keyId: string;
  readonly storeId: bigint;
  readonly tenantId: bigint;
  readonly scope: KeyScope;
  readonly endsAt: bigint | null;
  /** Set for a key that was made for a console session. */
  readonly sessionId?: string | null;
  readonly lastUsedAt?: bigint | null;
  /** Read with the key: the answer is at least that new. */
  readonly revision: bigint;
  /** The console's own requests never fail. */
  readonly faultsUntil: bigint | null;
}

export type RefusedKey = Pick<Caller, 'keyId' | 'storeId'>;

export type FindCaller = (key: string) => Promise<Caller | undefined>;
