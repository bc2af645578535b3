import type { ApiDocument, Operation } from './operations.ts';

/** One store of the fuzzed service, with its credentials. */
export interface Store {
  readonly origin: string;
  readonly key: string;
  /** The owner's console session. */
  readonly cookie: string | undefined;
  /** Contained in everything written to this store, and in nothing of another store. */
  readonly mark: number;
  /** A key ID, and a cursor for each paginated operation. */
  readonly keyId: string | undefined;
  readonly cursors: ReadonlyMap<string, string>;
}

/** Everything a request is generated from, apart from the random numbers. */
export interface Stage {
  readonly documents: readonly ApiDocument[];
  readonly operations: readonly Operation[];
  readonly stores: readonly Store[];
  /** Whether this run created everything in the stores. */
  readonly isOwn: boolean;
}
