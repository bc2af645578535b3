import { LRUCache } from 'lru-cache';
import { callerOf } from '../guards/caller.ts';
import type { Request } from '../server/request.ts';
import { type Encoding, notModified } from './negotiation.ts';

/** A serialized body that shows its store at this revision or a later one. */
export interface CachedResponse {
  readonly revision: bigint;
  readonly bytes: Buffer;
  readonly encoding: Encoding | 'identity';
  /** If this is a page: the cursor of the next one. */
  readonly next?: string | null;
}

export type ResponseCache = LRUCache<string, CachedResponse>;

/** Memory for an entry in addition to its bytes. */
const ENTRY_BYTES = 1_000;

export function createResponseCache(budget: number): ResponseCache {
  const sizeCalculation = ({ bytes }: CachedResponse) => bytes.length + ENTRY_BYTES;
  return new LRUCache({ maxSize: Math.max(1, Math.floor(budget)), sizeCalculation });
}

export function findCached(cache: ResponseCache, key: string, revision: bigint): CachedResponse | undefined {
  const cached = cache.get(key);
  return cached && cached.revision >= revision ? cached : undefined;
}

/** Not `Buffer.from`: its small buffers are slices of a shared pool, which the cache would retain. */
export function toCachedResponse(revision: bigint, text: string): CachedResponse {
  const bytes = Buffer.allocUnsafeSlow(Buffer.byteLength(text));
  bytes.write(text);
  return { revision, bytes, encoding: 'identity' };
}

type Serialize = () => Promise<string>;

/** Responds with one order or pet, which is read and serialized once per revision of its store. */
export async function respondFromCache(
  request: Request,
  cache: ResponseCache,
  name: string,
  serialize: Serialize,
) {
  const { storeId, revision } = callerOf(request);
  const key = `${name} ${storeId}`;
  let cached = findCached(cache, key, revision);
  if (!cached) {
    cached = toCachedResponse(revision, await serialize());
    cache.set(key, cached);
  }
  const headers = ['content-type', 'application/json'];
  return notModified(request) ?? { status: 200, headers, body: cached.bytes };
}
