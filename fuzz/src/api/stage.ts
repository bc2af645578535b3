import type { ApiDocument, Operation } from './operations.ts';

/** One store of the fuzzed service, with its credentials. */
export interface Store {
  readonly origin: string;
  readonly key: string;
  /** The owner's console session. */
  readonly cookie: string | undefined;
  /** 0 or 1, and different from that of the other store on the deployment: `addMark` puts it into everything written to the store. */
  readonly mark: number;
  /** The ID of a key that may be revoked. */
  readonly keyId: string | undefined;
  /** A valid cursor for each list, by path. */
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
