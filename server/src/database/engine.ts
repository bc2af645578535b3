import type { Connection } from './query.ts';

/** Reads only: writes go through a `Writer`. */
export interface Database extends Connection {
  /** One unchanging view of the data, held until it is disposed of. */
  snapshot(): Promise<Connection & AsyncDisposable>;
  readonly pools?: Readonly<Record<string, Pool>>;
  close(): Promise<void>;
}

/** That may be open at a time. */
export const MAX_SNAPSHOTS = 8;

/** How many of its connections are taken, and how many more are waited for. */
export type Pool = () => { readonly taken: number; readonly waiting: number };

export interface Preparation {
  readonly found: 'nothing' | 'closed' | 'not closed';
  /** The schema version that it had, if that was an older one. */
  readonly migratedFrom: number | undefined;
}

/** The database cannot answer now; the same request may succeed later. */
export class Unavailable extends Error {
  override name = 'Unavailable';
}

/** A statement met damage, or a disk that failed for a moment: SQLite reports a failed read as a damaged page. */
export class UnreadableDatabase extends Unavailable {
  override name = 'UnreadableDatabase';
}

/** PostgreSQL's codes for a deadlock and for a conflict between transactions; `Unavailable` wraps them. */
export function isRetryable(error: unknown): boolean {
  const { code } = ((error as Error).cause ?? {}) as { code?: string };
  return code === '40P01' || code === '40001';
}

/** The database cannot be used at all, for a reason the operator can act on. */
export class UnusableDatabase extends Error {
  override name = 'UnusableDatabase';
}
