/** A row as it stands in a list's JSON; without text, the row is not (or no longer) in the list. */
export interface ListedRow {
  readonly id: bigint;
  readonly text: string | undefined;
}

/**
 * Some hundred rows in ascending order of id, serialised as `,{…},{…}`: with the comma in front, segments
 * follow each other without a byte between. A segment never changes, so readers can share it.
 */
export interface Segment {
  readonly ids: BigInt64Array;
  /** Where each row's bytes end. */
  readonly ends: Uint32Array;
  readonly bytes: Buffer;
}

export function segmentOf(rows: readonly ListedRow[]): Segment {
  const listed = rows.filter((row) => row.text !== undefined);
  const ids = new BigInt64Array(listed.length);
  const ends = new Uint32Array(listed.length);
  let end = 0;
  for (const [i, { id, text }] of listed.entries()) {
    ids[i] = id;
    end += 1 + Buffer.byteLength(text as string);
    ends[i] = end;
  }
  return { ids, ends, bytes: Buffer.from(listed.map(({ text }) => `,${text}`).join('')) };
}

/** The segment with `changes` (ascending by id) made to it: rows replaced, added or taken out. */
export function patchSegment(segment: Segment, changes: readonly ListedRow[]): Segment {
  const patch = segmentOf(changes);
  const capacity = segment.ids.length + patch.ids.length;
  const ids = new BigInt64Array(capacity);
  const ends = new Uint32Array(capacity);
  const pieces: Buffer[] = [];
  let count = 0;
  let end = 0;

  const copy = (from: Segment, first: number, last: number) => {
    if (first === last) return;
    const start = startOf(from, first);
    pieces.push(from.bytes.subarray(start, startOf(from, last)));
    for (let i = first; i < last; i++) {
      ids[count] = from.ids[i] as bigint;
      ends[count++] = end + (from.ends[i] as number) - start;
    }
    end = ends[count - 1] as number;
  };

  let kept = 0;
  let added = 0;
  for (const { id, text } of changes) {
    const at = lowerBound(segment.ids, id);
    copy(segment, kept, at);
    kept = segment.ids[at] === id ? at + 1 : at;
    if (text !== undefined) copy(patch, added, ++added);
  }
  copy(segment, kept, segment.ids.length);
  return { ids: ids.slice(0, count), ends: ends.slice(0, count), bytes: Buffer.concat(pieces, end) };
}

/** Cut into pieces of at most `size` rows. */
export function splitSegment(segment: Segment, size: number): Segment[] {
  const pieces: Segment[] = [];
  for (let first = 0; first < segment.ids.length; first += size) {
    const last = Math.min(first + size, segment.ids.length);
    const start = startOf(segment, first);
    pieces.push({
      ids: segment.ids.slice(first, last),
      ends: segment.ends.slice(first, last).map((end) => end - start),
      bytes: Buffer.from(segment.bytes.subarray(start, startOf(segment, last))),
    });
  }
  return pieces;
}

function startOf(segment: Segment, row: number): number {
  return row === 0 ? 0 : (segment.ends[row - 1] as number);
}

/** The first place whose id is not below `id`. */
function lowerBound(ids: BigInt64Array, id: bigint): number {
  let low = 0;
  let high = ids.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((ids[middle] as bigint) < id) low = middle + 1;
    else high = middle;
  }
  return low;
}
