import { promisify } from 'node:util';
import { constants, crc32, deflateRaw } from 'node:zlib';
import { ownBytes } from './own-bytes.ts';
import type { Segment } from './segment.ts';

const deflate = promisify(deflateRaw);
const deflated = new WeakMap<Segment, Promise<Buffer>>();

/** Magic number, deflate, no flags, no time, unknown system. */
const HEADER = Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 255]);

/**
 * A gzip stream put together from segments that were each compressed on their own, and only once: a list of
 * which one row changed is sent compressed for the price of compressing one segment.
 */
export async function* gzipPieces(
  segments: Iterable<Segment> | AsyncIterable<Segment>,
): AsyncGenerator<Buffer> {
  yield HEADER;
  let checksum = 0;
  let size = 0;
  let separator = '[';
  const count = (plain: Buffer | string) => {
    checksum = crc32(plain, checksum);
    size += plain.length;
  };
  for await (const segment of segments) {
    const rows = segment.bytes.subarray(1);
    count(separator);
    count(rows);
    yield stored(separator);
    yield await deflatedRows(segment, rows);
    separator = ',';
  }
  const rest = separator === '[' ? '[]' : ']';
  count(rest);
  const trailer = Buffer.alloc(8);
  trailer.writeUInt32LE(checksum, 0);
  trailer.writeUInt32LE(size % 2 ** 32, 4);
  yield Buffer.concat([stored(rest, true), trailer]);
}

/** Ends on a whole byte and is not the last block, so that any other block can follow. */
function deflatedRows(segment: Segment, rows: Buffer): Promise<Buffer> {
  const known = deflated.get(segment);
  if (known) return known;
  const options = { level: 4, finishFlush: constants.Z_SYNC_FLUSH };
  const bytes = deflate(rows, options).then((whole) => ownBytes([whole]));
  deflated.set(segment, bytes);
  return bytes;
}

/** A deflate block that holds a short text as it is. */
function stored(text: string, isLast = false): Buffer {
  const { length } = text;
  return Buffer.from([isLast ? 1 : 0, length, 0, 255 - length, 255, ...Buffer.from(text)]);
}
