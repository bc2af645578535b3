import { LRUCache } from 'lru-cache';
import type { Database } from '../database/engine.ts';
import { compress, type Encoding, MIN_COMPRESSED_BYTES } from '../http/content/negotiation.ts';
import {
  type CachedResponse,
  findCached,
  type ResponseCache,
  toCachedResponse,
} from '../http/content/response-cache.ts';
import { storeRevision } from '../stores/find-store.ts';
import { type ListSource, listChunks, SMALLEST_ID } from './list-source.ts';

export interface ListOptions {
  readonly budget: number;
  readonly maxBytes?: number;
  readonly slice?: number;
}

/** Makes a list, or nothing if it is too large. */
type Make = () => Promise<CachedResponse | undefined>;

export type ListCache = ReturnType<typeof listCache>;

/** A list that is behind the revision that a request has seen is made anew, once for all who ask meanwhile. */
export function listCache(db: Database, responses: ResponseCache, options: ListOptions) {
  const { maxBytes = 1024 * 1024, slice = 500 } = options;
  const making = new Map<string, ReturnType<Make>>();
  /** Lists that were too large a moment ago are not made in vain again. */
  const large = new LRUCache<string, true>({ max: 10_000, ttl: 60_000 });

  async function cachedOrCreated(key: string, revision: bigint, make: Make): ReturnType<Make> {
    for (;;) {
      const kept = findCached(responses, key, revision);
      if (kept) return kept;
      if (large.has(key)) return undefined;
      const made = await (making.get(key) ?? createAndCache(key, make));
      // Others may have waited for an older one.
      if (made && made.revision >= revision) return made;
    }
  }

  function createAndCache(key: string, make: Make): ReturnType<Make> {
    const made = make()
      .then((list) => {
        if (list) responses.set(key, list);
        else large.set(key, true);
        return list;
      })
      .finally(() => making.delete(key));
    making.set(key, made);
    return made;
  }

  /** A short list is one read; a longer one is read from a snapshot, until it is all there or too large. */
  async function buildList(source: ListSource, storeId: bigint, seen: bigint): ReturnType<Make> {
    const { text, last, newest } = await source.read(db, storeId, SMALLEST_ID, slice);
    // Named by the newest change that it holds, so that one revision never names two lists.
    if (last === undefined) return toCachedResponse(newest > seen ? newest : seen, `[${text}]`);
    await using snapshot = await db.snapshot();
    const revision = await storeRevision(snapshot, storeId);
    let [whole, bytes] = ['', 0];
    for await (const chunk of listChunks(snapshot, source, storeId, slice)) {
      whole += chunk;
      bytes += Buffer.byteLength(chunk);
      if (bytes > maxBytes) return undefined;
    }
    return toCachedResponse(revision, whole);
  }

  return {
    rowsPerTick: slice,
    async get(source: ListSource, storeId: bigint, revision: bigint, encoding: Encoding | undefined) {
      const key = `${source.name} ${storeId}`;
      const list = await cachedOrCreated(key, revision, () => buildList(source, storeId, revision));
      if (!list || !encoding || list.bytes.length < MIN_COMPRESSED_BYTES) return list;
      return cachedOrCreated(`${key} ${encoding}`, list.revision, async () => ({
        revision: list.revision,
        bytes: await compress(list.bytes, encoding),
        encoding,
      }));
    },
  };
}
