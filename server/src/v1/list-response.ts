import { pipeline, Readable } from 'node:stream';
import { createGzip } from 'node:zlib';
import type { Database } from '../database/engine.ts';
import { acceptedEncodings, GZIP_LEVEL, isNotModified, storeEtag } from '../http/content/negotiation.ts';
import { callerOf } from '../http/guards/caller.ts';
import type { Caller, Request, Response } from '../http/server/request.ts';
import { storeRevision } from '../stores/find-store.ts';
import type { ListCache } from './list-cache.ts';
import { type ListSource, listChunks } from './list-source.ts';
import { listStreams } from './list-streams.ts';

/** A stream that takes longer is aborted, because it holds a snapshot. */
const SNAPSHOT_TIMEOUT_MS = 10 * 60_000;

export type RespondWithList = (request: Request, source: ListSource) => Promise<Response>;

/** Sends a list from the cache, or streams it if it is too large. */
export function listResponses(db: Database, cache: ListCache): RespondWithList {
  const streams = listStreams();

  const streamList = async (source: ListSource, caller: Caller, encoding: 'gzip' | 'identity') => {
    await using opening = new AsyncDisposableStack();
    opening.use(await streams.acquire(caller.tenantId));
    const snapshot = opening.use(await db.snapshot());
    const headers = headersOf(caller, await storeRevision(snapshot, caller.storeId), encoding);
    const chunks = listChunks(snapshot, source, caller.storeId, cache.rowsPerTick);
    const rows = Readable.from(chunks, { objectMode: false });
    streams.add(caller.tenantId, rows);
    const tooSlow = new Error('the client read the list too slowly');
    const timeout = setTimeout(() => rows.destroy(tooSlow), SNAPSHOT_TIMEOUT_MS);
    opening.defer(() => clearTimeout(timeout));
    const resources = opening.move();
    rows.once('close', () => resources.disposeAsync());
    const body = encoding === 'identity' ? rows : pipeline(rows, createGzip({ level: GZIP_LEVEL }), () => {});
    return { status: 200, headers, body };
  };

  return async (request, source) => {
    const caller = callerOf(request);
    const etag = storeEtag(caller);
    if (isNotModified(request.headers, etag)) return { status: 304, headers: ['etag', etag] };
    const accepted = acceptedEncodings(request.headers['accept-encoding']);
    const list = await cache.get(source, caller.storeId, caller.revision, accepted[0]);
    if (!list) return streamList(source, caller, accepted.includes('gzip') ? 'gzip' : 'identity');
    return { status: 200, headers: headersOf(caller, list.revision, list.encoding), body: list.bytes };
  };
}

function headersOf(caller: Caller, revision: bigint, encoding: string): string[] {
  const headers = ['etag', storeEtag(caller, revision), 'content-type', 'application/json'];
  return encoding === 'identity' ? headers : [...headers, 'content-encoding', encoding];
}
