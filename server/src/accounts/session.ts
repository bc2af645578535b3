import type { KeyScope } from '../vocabulary.ts';

/** Someone who is signed in. */
export interface Session {
  readonly id: string;
  readonly accountId: string;
  readonly email: string;
  readonly accountCreatedAt: bigint;
  /** Null until the account's store is opened. */
  readonly storeId: bigint | null;
  /** By whom its limits are counted, once it is. */
  readonly tenantId: bigint | null;
  /** Set when the session was just prolonged, and the browser should hear of it. */
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

/** Where a request comes from. */
export interface Visitor {
  readonly address: string;
  /** What the browser calls itself, shortened. */
  readonly agent: string;
  /** What it keeps of having signed in before. */
  readonly mark: string | undefined;
}

declare module '../http/server/request.ts' {
  interface Request {
    /** Of someone who is signed in to the console or came there with a key. */
    session?: Session | KeySession | null;
  }
}
