import type { Readable } from 'node:stream';
import { coalescePerTick } from '../concurrency/coalesce-per-tick.ts';
import { yieldToEventLoop } from '../concurrency/yield-to-event-loop.ts';
import type { Connection } from '../database/query.ts';
import { CLOSED } from '../writer/verb.ts';
import type { Writer } from '../writer/writer.ts';
import { type EventRow, readEvents, revisionsOf, writeEvent } from './event.ts';

const BATCH = 200n;
/** Time for a client to receive the end of its stream. */
const END_TIMEOUT_MS = 1_000;

/** Called on new events, and when the store is closed: its keys may then open another store. */
type Watcher = (isClosed: boolean) => void;

type Batch = { readonly text: string; readonly upTo: bigint; readonly isLast: boolean };

export type EventHub = ReturnType<typeof openEventHub>;

/**
 * Wakes streams when their store changes, here or on another replica. Events are read from the log, once for all streams at
 * the same position. Also polls the stores' revisions, because notifications of commits may be lost.
 */
export function openEventHub(db: Connection, writer: Writer, pollMs: number) {
  const streams = new Map<Readable, { readonly tenantId: bigint; readonly end: AbortController }>();
  const stores = new Map<bigint, { revision: bigint; readonly watchers: Set<Watcher> }>();
  const readOnce = coalescePerTick<Batch>();

  /** `revision` is undefined if the store was closed. */
  function notifyWatchers(storeId: bigint, revision: bigint | undefined): void {
    const store = stores.get(storeId);
    if (!store || (revision !== undefined && revision <= store.revision)) return;
    store.revision = revision ?? store.revision;
    for (const watch of store.watchers) watch(revision === undefined);
  }

  async function poll(): Promise<void> {
    if (stores.size === 0) return;
    const ids = [...stores.keys()];
    const rows = await db.all(revisionsOf, { ids: ids.join() });
    const revisions = new Map(rows.map(({ id, revision }) => [id, revision]));
    for (const id of ids) notifyWatchers(id, revisions.get(id));
  }

  writer.onCommit((revisions) => {
    for (const [storeId, revision] of revisions)
      notifyWatchers(storeId, revision === CLOSED ? undefined : revision);
  });
  const polls = setInterval(() => poll().catch(() => {}), pollMs).unref();

  return {
    streams,
    /** Watches a store from this revision on. Returns a function that stops watching. */
    watch(storeId: bigint, revision: bigint, watcher: Watcher): () => void {
      const store = stores.get(storeId) ?? { revision, watchers: new Set() };
      stores.set(storeId, store);
      store.watchers.add(watcher);
      notifyWatchers(storeId, revision);
      return () => {
        store.watchers.delete(watcher);
        if (store.watchers.size === 0) stores.delete(storeId);
      };
    },
    read: (storeId: bigint, after: bigint): Promise<Batch> =>
      readOnce(`${storeId} ${after}`, async () => {
        await yieldToEventLoop(storeId);
        const events = await readEvents(db, { storeId, after, limit: BATCH });
        return {
          text: events.map(serializeEvent).join(''),
          upTo: events.at(-1)?.revision ?? after,
          isLast: BigInt(events.length) < BATCH,
        };
      }),
    /** Ends all streams as complete responses, so that clients reconnect elsewhere. */
    close(): void {
      clearInterval(polls);
      for (const [stream, { end }] of streams) {
        end.abort();
        setTimeout(() => stream.destroy(), END_TIMEOUT_MS).unref();
      }
    },
  };
}

function serializeEvent(event: EventRow): string {
  return `id: ${event.revision}\nevent: ${event.type}\ndata: ${writeEvent(event)}\n\n`;
}
