import type { ApiDocument, Operation } from './operations.ts';

/** One store of the service that is tried, and who opens it. */
export interface Store {
  readonly origin: string;
  readonly key: string;
  /** The session of its owner in the console. */
  readonly cookie: string | undefined;
  /** Stands in everything that is written to this store, and to no other of its deployment. */
  readonly mark: number;
  /** An id of a key, and a cursor of each operation that has some. */
  readonly keyId: string | undefined;
  readonly cursors: ReadonlyMap<string, string>;
}

/** All that a request is made from besides chances. */
export interface Stage {
  readonly documents: readonly ApiDocument[];
  readonly operations: readonly Operation[];
  readonly stores: readonly Store[];
  /** Whether everything in the stores was put there by this run. */
  readonly isOwn: boolean;
}
