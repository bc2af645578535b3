import type { Segment } from './segment.ts';

/** A list as of one revision of its store, to be sent segment by segment. */
export interface ListAtRevision {
  readonly revision: bigint;
  /** Bytes of the whole as a JSON array; undefined while they are not known yet. */
  readonly length: number | undefined;
  segments(): Iterable<Segment> | AsyncIterable<Segment>;
  /** Lets go of what the list is read from; to be called once no more segments are wanted, taken or not. */
  release?(): Promise<void>;
}
