import { Readable } from 'node:stream';
import type { Database } from '../database/engine.ts';
import { Slots } from '../database/slots.ts';
import { acceptedEncodings } from '../http/content/compression.ts';
import { etagAt, etagOf, isNotModified } from '../http/content/conditional.ts';
import { callerOf } from '../http/guards/authenticate.ts';
import type { Answer, Handler } from '../http/server/answer.ts';
import type { ListCache, WholeList } from './list-cache.ts';
import type { ListSource } from './list-source.ts';
import { ListStreams } from './list-stream.ts';

/** A larger list is sent in chunks of this, and counted: a slow reader holds it, also when the cache has a newer one. */
const CHUNK_BYTES = 64 * 1024;
/** Of those, so many may be sent to the readers of a store at a time: 32 MB at the most. */
const MOST_SENT = 32;

/** Answers with lists of the caller's store: kept in memory as they are sent, or streamed if they are too large for that. */
export function listAnswers(db: Database, cache: ListCache): (source: ListSource) => Handler {
  const streams = new ListStreams(db, cache.slice);
  const sent = new Slots(MOST_SENT);

  const bodyOf = async (list: WholeList, tenantId: bigint): Promise<Buffer | Readable> => {
    if (list.bytes.length <= CHUNK_BYTES) return list.bytes;
    const end = await sent.take(tenantId);
    return Readable.from(chunksOf(list.bytes), { objectMode: false }).once('close', end);
  };

  return (source) =>
    async (request): Promise<Answer> => {
      const caller = callerOf(request);
      const { storeId, tenantId, revision } = caller;
      const tag = etagOf(caller);
      if (isNotModified(request.headers, tag)) return { status: 304, headers: ['etag', tag] };

      const accepted = acceptedEncodings(request.headers['accept-encoding']);
      const headersOf = (revision: bigint, encoding: string) => [
        'etag',
        etagAt(caller, revision),
        'content-type',
        'application/json',
        ...(encoding === 'identity' ? [] : ['content-encoding', encoding]),
      ];
      const list = await cache.get(source, storeId, revision, accepted[0]);
      if (list) {
        const body = await bodyOf(list, tenantId);
        const length = body instanceof Readable ? ['content-length', String(list.bytes.length)] : [];
        return { status: 200, headers: [...headersOf(list.revision, list.encoding), ...length], body };
      }
      const encoding = accepted.includes('gzip') ? 'gzip' : 'identity';
      const stream = await streams.open(source, caller, encoding);
      return { status: 200, headers: headersOf(stream.revision, encoding), body: stream.body };
    };
}

function* chunksOf(bytes: Buffer): Generator<Buffer> {
  for (let start = 0; start < bytes.length; start += CHUNK_BYTES)
    yield bytes.subarray(start, start + CHUNK_BYTES);
}
