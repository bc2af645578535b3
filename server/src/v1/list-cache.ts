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
  readonly rowsPerTick?: number;
}

/** Builds a list; undefined if it is too large. */
type Build = () => Promise<CachedResponse | undefined>;

export type ListCache = ReturnType<typeof listCache>;

/** Cached lists by revision. A stale list is rebuilt, once for all concurrent requests. */
export function listCache(db: Database, responses: ResponseCache, options: ListOptions) {
  const { maxBytes = 1024 * 1024, rowsPerTick = 500 } = options;
  const inProgress = new Map<string, ReturnType<Build>>();
  /** Lists that were recently too large are not built again. */
  const tooLarge = new LRUCache<string, true>({ max: 10_000, ttl: 60_000 });

  async function findOrBuild(key: string, revision: bigint, build: Build): ReturnType<Build> {
    for (;;) {
      const cached = findCached(responses, key, revision);
      if (cached) return cached;
      if (tooLarge.has(key)) return undefined;
      const list = await (inProgress.get(key) ?? buildAndCache(key, build));
      // A build that was already in progress may be older than this revision.
      if (list && list.revision >= revision) return list;
    }
  }

  function buildAndCache(key: string, build: Build): ReturnType<Build> {
    const list = build()
      .then((list) => {
        if (list) responses.set(key, list);
        else tooLarge.set(key, true);
        return list;
      })
      .finally(() => inProgress.delete(key));
    inProgress.set(key, list);
    return list;
  }

  /** Reads a short list at once, and a longer one from a snapshot, until it is complete or too large. */
  async function buildList(source: ListSource, storeId: bigint, requested: bigint): ReturnType<Build> {
    const { text, nextAfter, newestRevision } = await source.read(db, storeId, SMALLEST_ID, rowsPerTick);
    if (nextAfter === undefined) {
      // Read without a snapshot, the rows may be newer than requested. Different rows must not get the same revision.
      const revision = newestRevision > requested ? newestRevision : requested;
      return toCachedResponse(revision, `[${text}]`);
    }
    await using snapshot = await db.snapshot();
    const revision = await storeRevision(snapshot, storeId);
    let [json, bytes] = ['', 0];
    for await (const chunk of listChunks(snapshot, source, storeId, rowsPerTick)) {
      json += chunk;
      bytes += Buffer.byteLength(chunk);
      if (bytes > maxBytes) return undefined;
    }
    return toCachedResponse(revision, json);
  }

  return {
    rowsPerTick,
    async get(source: ListSource, storeId: bigint, revision: bigint, encoding: Encoding | undefined) {
      const key = `${source.name} ${storeId}`;
      const list = await findOrBuild(key, revision, () => buildList(source, storeId, revision));
      if (!list || !encoding || list.bytes.length < MIN_COMPRESSED_BYTES) return list;
      return findOrBuild(`${key} ${encoding}`, list.revision, async () => ({
        revision: list.revision,
        bytes: await compress(list.bytes, encoding),
        encoding,
      }));
    },
  };
}
