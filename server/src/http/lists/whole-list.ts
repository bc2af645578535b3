import type { ListAtRevision } from './list-at-revision.ts';
import { EMPTY, type ListedRow, patchSegment, type Segment, splitSegment } from './segment.ts';

/** A whole list as it was at one revision of its store. It never changes. */
export class WholeList implements ListAtRevision {
  readonly revision: bigint;
  readonly length: number;
  readonly #segments: readonly Segment[];

  constructor(revision: bigint, segments: readonly Segment[]) {
    this.revision = revision;
    this.#segments = segments;
    const rows = segments.reduce((sum, segment) => sum + segment.bytes.length, 0);
    this.length = rows === 0 ? 2 : rows + 1;
  }

  segments(): readonly Segment[] {
    return this.#segments;
  }

  /** The same list at a later revision, sharing every segment that did not change. */
  patched(revision: bigint, changes: readonly ListedRow[], segmentSize: number): WholeList {
    if (changes.length === 0) return new WholeList(revision, this.#segments);
    const segments: Segment[] = [];
    let next = 0;
    for (const [i, segment] of this.#segments.entries()) {
      const isLast = i === this.#segments.length - 1;
      const first = next;
      while (next < changes.length && (isLast || (changes[next] as ListedRow).id <= segment.last)) next++;
      if (next === first) segments.push(segment);
      else segments.push(...resized(patchSegment(segment, changes.slice(first, next)), segmentSize));
    }
    if (this.#segments.length === 0) segments.push(...resized(patchSegment(EMPTY, changes), segmentSize));
    return new WholeList(revision, segments);
  }
}

/** Segments may grow to twice their size before they are split, and vanish when empty. */
function resized(segment: Segment, size: number): Segment[] {
  if (segment.count === 0) return [];
  return segment.count > 2 * size ? splitSegment(segment, size) : [segment];
}
