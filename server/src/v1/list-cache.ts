import { LRUCache } from 'lru-cache';
import type { Database } from '../database/engine.ts';
import { compress, type Encoding, SMALLEST_COMPRESSED } from '../http/content/compression.ts';
import { storeRevision } from '../stores/find-store.ts';
import { type ListSource, listPieces, SMALLEST_ID } from './list-source.ts';

export interface ListOptions {
  readonly budget: number;
  readonly mostBytes?: number;
  readonly slice?: number;
}

export interface WholeList {
  readonly revision: bigint;
  readonly bytes: Buffer;
  readonly encoding: Encoding | 'identity';
}

/** A list that is behind the revision that a request has seen is made anew, once for all who ask meanwhile. */
export class ListCache {
  readonly slice: number;
  readonly #db: Database;
  readonly #mostBytes: number;
  readonly #kept: LRUCache<string, WholeList>;
  readonly #making = new Map<string, Promise<WholeList | undefined>>();
  /** Lists that were too large a moment ago are not made in vain again. */
  readonly #large = new LRUCache<string, true>({ maxSize: 10_000, sizeCalculation: () => 1, ttl: 60_000 });

  constructor(db: Database, { budget, mostBytes = 1024 * 1024, slice = 500 }: ListOptions) {
    this.slice = slice;
    this.#db = db;
    this.#mostBytes = mostBytes;
    this.#kept = new LRUCache({
      maxSize: Math.max(1, Math.floor(budget)),
      sizeCalculation: ({ bytes }) => bytes.length,
    });
  }

  get bytes(): number {
    return this.#kept.calculatedSize;
  }

  async get(
    source: ListSource,
    storeId: bigint,
    revision: bigint,
    encoding: Encoding | undefined,
  ): Promise<WholeList | undefined> {
    const key = `${source.name} ${storeId}`;
    const list = await this.#keptOrMade(key, revision, () => this.#make(source, storeId, revision));
    if (!list || !encoding || list.bytes.length < SMALLEST_COMPRESSED) return list;
    return this.#keptOrMade(`${key} ${encoding}`, list.revision, async () => ({
      revision: list.revision,
      bytes: await compress(list.bytes, encoding),
      encoding,
    }));
  }

  async #keptOrMade(
    key: string,
    revision: bigint,
    make: () => Promise<WholeList | undefined>,
  ): Promise<WholeList | undefined> {
    for (;;) {
      const kept = this.#kept.get(key);
      if (kept && kept.revision >= revision) return kept;
      if (this.#large.has(key)) return undefined;
      const made = await (this.#making.get(key) ?? this.#keep(key, make()));
      // Others may have waited for an older one.
      if (made && made.revision >= revision) return made;
    }
  }

  #keep(key: string, making: Promise<WholeList | undefined>): Promise<WholeList | undefined> {
    const kept = making
      .then((list) => {
        if (list) this.#kept.set(key, list);
        else this.#large.set(key, true);
        return list;
      })
      .finally(() => this.#making.delete(key));
    this.#making.set(key, kept);
    return kept;
  }

  /** A short list is one read; a longer one is read from a snapshot, until it is all there or too large. */
  async #make(source: ListSource, storeId: bigint, seen: bigint): Promise<WholeList | undefined> {
    const { text, last } = await source.read(this.#db, storeId, SMALLEST_ID, this.slice);
    if (last === undefined) return wholeList(seen, `[${text}]`);
    await using snapshot = await this.#db.snapshot();
    const revision = await storeRevision(snapshot, storeId);
    let [whole, bytes] = ['', 0];
    for await (const piece of listPieces(snapshot, source, storeId, this.slice)) {
      whole += piece;
      bytes += Buffer.byteLength(piece);
      if (bytes > this.#mostBytes) return undefined;
    }
    return wholeList(revision, whole);
  }
}

/** Node cuts small buffers out of larger ones, which would stay as long as the list does. */
function wholeList(revision: bigint, text: string): WholeList {
  const bytes = Buffer.allocUnsafeSlow(Buffer.byteLength(text));
  bytes.write(text);
  return { revision, bytes, encoding: 'identity' };
}
