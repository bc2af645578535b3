import { pipeline, Readable } from 'node:stream';
import { createGzip } from 'node:zlib';
import type { Database } from '../database/engine.ts';
import { Slots } from '../database/slots.ts';
import { GZIP_LEVEL } from '../http/content/compression.ts';
import type { Caller } from '../http/server/caller.ts';
import { type ListSource, listPieces, storeRevision } from './list-source.ts';

/** Large lists that a store may be sent at a time: each holds a snapshot, of which there are few for all. */
const MOST_OF_STORE = 4;
/** A reader that takes longer than this must not keep its snapshot. */
const LONGEST_SNAPSHOT_MS = 10 * 60_000;

/** A list that is read while it is sent, as fast as its reader takes it. */
export interface ListStream {
  readonly revision: bigint;
  /** To be read or destroyed: it holds a snapshot until then. */
  readonly body: Readable;
}

/** Streams lists that are too large to be kept, each from one snapshot of the database. */
export class ListStreams {
  readonly #db: Database;
  readonly #slice: number;
  readonly #slots = new Slots(MOST_OF_STORE);

  constructor(db: Database, slice: number) {
    this.#db = db;
    this.#slice = slice;
  }

  async open(
    source: ListSource,
    { storeId, tenantId }: Pick<Caller, 'storeId' | 'tenantId'>,
    encoding: 'gzip' | 'identity',
  ): Promise<ListStream> {
    const held = new AsyncDisposableStack();
    try {
      held.defer(await this.#slots.take(tenantId));
      const snapshot = held.use(await this.#db.snapshot());
      const revision = await storeRevision(snapshot, storeId);
      const rows = Readable.from(listPieces(snapshot, source, storeId, this.#slice), { objectMode: false });
      const late = setTimeout(
        () => rows.destroy(new Error('a list was read too slowly')),
        LONGEST_SNAPSHOT_MS,
      );
      rows.once('close', () => {
        clearTimeout(late);
        void held.disposeAsync();
      });
      if (encoding === 'identity') return { revision, body: rows };
      return { revision, body: pipeline(rows, createGzip({ level: GZIP_LEVEL }), () => {}) };
    } catch (error) {
      await held.disposeAsync();
      throw error;
    }
  }
}
