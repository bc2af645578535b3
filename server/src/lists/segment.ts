/** A row as it stands in a list's JSON; without text, the row is not (or no longer) in the list. */
export interface ListedRow {
  readonly id: bigint;
  /** An object whose first field is its id, and not the only one. */
  readonly text: string | undefined;
}

/**
 * Some hundred rows in ascending order of id, serialised as `,{…},{…}`: with the comma in front, segments
 * follow each other without a byte between. A segment never changes, so readers can share it.
 */
export interface Segment {
  readonly count: number;
  /** The greatest id in it. */
  readonly last: bigint;
  readonly bytes: Buffer;
}

/** How a row begins, after the comma before it. Inside a JSON string its quotes would be escaped. */
const START = ',{"id":';
const COMMA = 0x2c;

export const EMPTY: Segment = { count: 0, last: 0n, bytes: Buffer.alloc(0) };

export function segmentOf(rows: readonly ListedRow[]): Segment {
  const listed = rows.filter(({ text }) => text !== undefined);
  // The empty text in front makes the first comma.
  const bytes = Buffer.from(['', ...listed.map(({ text }) => text)].join(','));
  return { count: listed.length, last: listed.at(-1)?.id ?? 0n, bytes };
}

/** The segment with `changes` (ascending by id) made to it: rows replaced, added or taken out. */
export function patchSegment(segment: Segment, changes: readonly ListedRow[]): Segment {
  const { ids, starts } = placesIn(segment);
  const pieces: Buffer[] = [];
  let { last } = EMPTY;
  let count = 0;
  let kept = 0;
  const keepUntil = (end: number) => {
    if (end === kept) return;
    pieces.push(segment.bytes.subarray(starts[kept], starts[end]));
    count += end - kept;
    last = ids[end - 1] as bigint;
  };
  for (const { id, text } of changes) {
    const at = lowerBound(ids, id);
    keepUntil(at);
    kept = ids[at] === id ? at + 1 : at;
    if (text === undefined) continue;
    pieces.push(Buffer.from(`,${text}`));
    count++;
    last = id;
  }
  keepUntil(ids.length);
  return { count, last, bytes: Buffer.concat(pieces) };
}

/** Cut into pieces of at most `size` rows. */
export function splitSegment(segment: Segment, size: number): Segment[] {
  const { ids, starts } = placesIn(segment);
  const pieces: Segment[] = [];
  for (let first = 0; first < ids.length; first += size) {
    const end = Math.min(first + size, ids.length);
    const bytes = Buffer.from(segment.bytes.subarray(starts[first], starts[end]));
    pieces.push({ count: end - first, last: ids[end - 1] as bigint, bytes });
  }
  return pieces;
}

/** Where the rows are, read from their bytes: to keep it for every row of a long list would cost too much. */
export function placesIn({ bytes, count }: Segment): { ids: BigInt64Array; starts: Uint32Array } {
  const ids = new BigInt64Array(count);
  const starts = new Uint32Array(count + 1);
  for (let row = 0, start = 0; row < count; row++) {
    const id = start + START.length;
    ids[row] = BigInt(bytes.toString('latin1', id, bytes.indexOf(COMMA, id)));
    starts[row] = start;
    start = bytes.indexOf(START, id);
  }
  starts[count] = bytes.length;
  return { ids, starts };
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
