import { ownBytes } from './own-bytes.ts';

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
const START = Buffer.from(',{"id":');
const COMMA = 0x2c;

export const EMPTY: Segment = { count: 0, last: 0n, bytes: Buffer.alloc(0) };

export function segmentOf(rows: readonly ListedRow[]): Segment {
  const listed = rows.filter(({ text }) => text !== undefined);
  // The empty text in front makes the first comma.
  const bytes = ownBytes([Buffer.from(['', ...listed.map(({ text }) => text)].join(','))]);
  return { count: listed.length, last: listed.at(-1)?.id ?? 0n, bytes };
}

/** The segment with `changes` (ascending by id) made to it: rows replaced, added or taken out. */
export function patchSegment({ bytes, count }: Segment, changes: readonly ListedRow[]): Segment {
  const pieces: Buffer[] = [];
  let patched = count;
  let kept = 0;
  for (const { id, text } of changes) {
    const at = placeOf(id, bytes, kept);
    pieces.push(bytes.subarray(kept, at));
    const isThere = at < bytes.length && idAt(bytes, at) === id;
    kept = isThere ? nextRow(bytes, at) : at;
    if (text !== undefined) pieces.push(Buffer.from(`,${text}`));
    patched += Number(text !== undefined) - Number(isThere);
  }
  pieces.push(bytes.subarray(kept));
  return segmentWith(patched, ownBytes(pieces));
}

/** Cut into pieces of at most `size` rows. */
export function splitSegment({ bytes, count }: Segment, size: number): Segment[] {
  const pieces: Segment[] = [];
  for (let first = 0, start = 0; first < count; first += size) {
    const rows = Math.min(size, count - first);
    let end = start;
    for (let row = 0; row < rows; row++) end = nextRow(bytes, end);
    pieces.push(segmentWith(rows, ownBytes([bytes.subarray(start, end)])));
    start = end;
  }
  return pieces;
}

function segmentWith(count: number, bytes: Buffer): Segment {
  return count === 0 ? EMPTY : { count, last: idAt(bytes, bytes.lastIndexOf(START)), bytes };
}

/**
 * Finds where the first row from `low` on begins whose id is not below `id`, by halving the bytes: keeping where each
 * row of a long list begins would cost too much memory, and reading every id too much time.
 */
function placeOf(id: bigint, bytes: Buffer, low: number): number {
  let high = bytes.length;
  let place = low;
  while (place < high) {
    const row = bytes.lastIndexOf(START, (place + high) >>> 1);
    if (idAt(bytes, row) < id) place = nextRow(bytes, row);
    else high = row;
  }
  return place;
}

/** The id of the row that begins there. */
function idAt(bytes: Buffer, row: number): bigint {
  const start = row + START.length;
  return BigInt(bytes.toString('latin1', start, bytes.indexOf(COMMA, start)));
}

/** Where the next row begins, or the end. */
function nextRow(bytes: Buffer, row: number): number {
  const next = bytes.indexOf(START, row + START.length);
  return next === -1 ? bytes.length : next;
}
