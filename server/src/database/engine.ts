import type { Connection } from './query.ts';

/** Reads only: writes go through a `Writer`. */
export interface Database extends Connection {
  /** A consistent view of the data, until it is disposed of. */
  snapshot(): Promise<Connection & AsyncDisposable>;
  readonly pools?: Readonly<Record<string, () => PoolUsage>>;
  close(): Promise<void>;
}

/** Snapshots of one database that can be open at a time. */
export const MAX_SNAPSHOTS = 8;

/** Connections in use, and callers that wait for one. */
export interface PoolUsage {
  readonly taken: number;
  readonly waiting: number;
}

export interface Preparation {
  /** `unclean`: the previous process did not close the database. */
  readonly previousState: 'missing' | 'clean' | 'unclean';
  /** The previous schema version, if it was older. */
  readonly migratedFrom: number | undefined;
}

/** The database is not available now; the same request may succeed later. */
export class Unavailable extends Error {
  override name = 'Unavailable';
}

/** A damaged page, or a transient disk failure: SQLite reports a failed read as damage. */
export class UnreadableDatabase extends Unavailable {
  override name = 'UnreadableDatabase';
}

/** Whether an error wraps a deadlock or a serialization failure of PostgreSQL. */
export function isRetryable(error: unknown): boolean {
  const { code } = ((error as Error).cause ?? {}) as { code?: string };
  return code === '40P01' || code === '40001';
}

/** The database cannot be used at all, for a reason the operator can act on. */
export class UnusableDatabase extends Error {
  override name = 'UnusableDatabase';
}
