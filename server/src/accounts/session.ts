import type { KeyScope } from '../vocabulary.ts';

/** Someone who is signed in. */
export interface Session {
  readonly id: string;
  readonly accountId: string;
  readonly email: string;
  readonly accountCreatedAt: bigint;
  /** Null until the account's store is opened. */
  readonly storeId: bigint | null;
  /** Limits are counted by this, once the store is open. */
  readonly tenantId: bigint | null;
  readonly renewed: boolean;
}

/** Someone who opened the console with a key: its store, and no account. */
export interface KeySession {
  readonly id: string;
  readonly storeId: bigint;
  readonly tenantId: bigint;
  readonly keyId: string;
  readonly keyName: string;
  readonly lastFour: string;
  readonly scope: KeyScope;
  readonly keyExpiresAt: bigint | null;
  readonly renewed: boolean;
}

export function isOfKey(session: Session | KeySession): session is KeySession {
  return 'keyId' in session;
}

export interface Visitor {
  readonly address: string;
  /** The user agent, shortened. */
  readonly agent: string;
  /** The device mark of an earlier sign-in. */
  readonly mark: string | undefined;
}

declare module '../http/server/request.ts' {
  interface Request {
    session?: Session | KeySession | null;
  }
}
