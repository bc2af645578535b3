import { Readable } from 'node:stream';
import { compress } from '../content/compression.ts';
import { gzipPieces } from './gzip-segments.ts';
import type { ListAtRevision } from './list-at-revision.ts';
import { ownBytes } from './own-bytes.ts';
import type { Segment } from './segment.ts';
import { WholeList } from './whole-list.ts';

/** A list up to this size is sent as one buffer, made when first asked for and kept as long as the list. */
const WHOLE_BYTES = 256 * 1024;

export type ListEncoding = 'identity' | 'gzip' | 'br';
const wholes = new WeakMap<WholeList, Partial<Record<ListEncoding, Buffer | Promise<Buffer>>>>();

export function isSmall(list: ListAtRevision): list is WholeList {
  return list instanceof WholeList && list.length <= WHOLE_BYTES;
}

/** The body of a small list in one piece; a promise only while it is being compressed. */
export function wholeBody(list: WholeList, encoding: ListEncoding): Buffer | Promise<Buffer> {
  const forms = wholes.get(list) ?? {};
  wholes.set(list, forms);
  const known = forms[encoding];
  if (known) return known;
  const making = makeWhole(list, encoding);
  forms[encoding] = making;
  if (making instanceof Promise) {
    making.then(
      (body) => {
        forms[encoding] = body;
      },
      () => delete forms[encoding],
    );
  }
  return making;
}

/** The body of a large list as its segments are held, without a copy of the whole. */
export function streamedBody(list: ListAtRevision, encoding: 'identity' | 'gzip'): Readable {
  const segments = list.segments();
  const pieces =
    encoding === 'gzip'
      ? gzipPieces(segments)
      : Array.isArray(segments)
        ? plainPieces(segments)
        : growingPieces(segments);
  const body = Readable.from(pieces, { objectMode: false });
  // A reader that leaves before the first byte leaves nothing behind, either.
  return body.once('close', () => void list.release?.());
}

function makeWhole(list: WholeList, encoding: ListEncoding): Buffer | Promise<Buffer> {
  if (encoding === 'gzip')
    return Array.fromAsync(gzipPieces(list.segments())).then((pieces) => ownBytes(pieces));
  const plain = ownBytes([...plainPieces(list.segments())]);
  return encoding === 'identity' ? plain : compress(plain, encoding).then((bytes) => ownBytes([bytes]));
}

const OPEN = Buffer.from('[');
const CLOSE = Buffer.from(']');

/** A segment begins with the comma that separates it from the one before: the first goes without. */
function* plainPieces(segments: readonly Segment[]): Generator<Buffer> {
  yield OPEN;
  for (const [i, { bytes }] of segments.entries()) yield i === 0 ? bytes.subarray(1) : bytes;
  yield CLOSE;
}

async function* growingPieces(segments: Iterable<Segment> | AsyncIterable<Segment>): AsyncGenerator<Buffer> {
  yield OPEN;
  let start = 1;
  for await (const { bytes } of segments) {
    yield bytes.subarray(start);
    start = 0;
  }
  yield CLOSE;
}
