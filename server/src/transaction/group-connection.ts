import type { EachQuery } from '../database/each-query.ts';
import type { Connection } from '../database/engine.ts';

export interface StoreCounters {
  revision: bigint;
  next_order_id: bigint;
  next_pet_id: bigint;
  next_idempotency: bigint;
}

/** Statements, and the rows that each of them is made for. */
export type Writes = Map<EachQuery<never, never>, unknown[]>;

/** A connection on which a group of changes can run as one transaction. */
export interface GroupConnection extends Connection {
  begin(): Promise<void>;
  commit(): Promise<void>;
  rollback(): Promise<void>;
  /** What the query finds for each of these, in their order. */
  each<P, R>(query: EachQuery<P, R>, rows: readonly P[]): Promise<Array<R | undefined>>;
  /** Makes all of these, in whatever order: none of them asks for what another one writes. */
  write(writes: Writes): Promise<void>;
  /** Reads an open store's counters and keeps every other writer away from them until the transaction ends. */
  lockStore(id: bigint): Promise<StoreCounters | undefined>;
}
