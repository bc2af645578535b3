import type { Readable } from 'node:stream';
import { coalescePerTick } from '../concurrency/coalesce-per-tick.ts';
import type { Connection } from '../database/query.ts';
import { CLOSED } from '../writer/verb.ts';
import type { Writer } from '../writer/writer.ts';
import { type EventRow, readEvents, revisionsOf, writeEvent } from './event.ts';

const EVENTS_AT_ONCE = 200n;
/** A reader that does not take the end of its stream is left without it. */
const END_MS = 1_000;

/** Called when there is more, or the store is closed: its keys may open another by now. */
type Watcher = (isClosed: boolean) => void;

type Batch = { readonly text: string; readonly upTo: bigint; readonly isLast: boolean };

export type EventHub = ReturnType<typeof openEventHub>;

/**
 * Wakes streams when something happens to their store, here or on another replica. What happened is read from the log, once
 * for all streams that have come equally far. `poll`: milliseconds between two looks at how far stores have come, for
 * commits that nobody told of.
 */
export function openEventHub(db: Connection, writer: Writer, poll: number) {
  const streams = new Map<Readable, { readonly tenantId: bigint; readonly end: AbortController }>();
  const stores = new Map<bigint, { revision: bigint; readonly watchers: Set<Watcher> }>();
  const readOnce = coalescePerTick<Batch>();

  /** Tells of the revision that a store has reached; undefined where it was closed. */
  function noteReached(storeId: bigint, revision: bigint | undefined): void {
    const store = stores.get(storeId);
    if (!store || (revision !== undefined && revision <= store.revision)) return;
    store.revision = revision ?? store.revision;
    for (const watch of store.watchers) watch(revision === undefined);
  }

  async function lookForMissed(): Promise<void> {
    if (stores.size === 0) return;
    const ids = [...stores.keys()];
    const rows = await db.all(revisionsOf, { ids: ids.join() });
    const revisions = new Map(rows.map(({ id, revision }) => [id, revision]));
    for (const id of ids) noteReached(id, revisions.get(id));
  }

  writer.onCommit((reached) => {
    for (const [storeId, revision] of reached)
      noteReached(storeId, revision === CLOSED ? undefined : revision);
  });
  const polls = setInterval(() => lookForMissed().catch(() => {}), poll).unref();

  return {
    streams,
    /** Begins to watch a store that has come at least this far. Returns how to stop. */
    watch(storeId: bigint, revision: bigint, watcher: Watcher): () => void {
      const store = stores.get(storeId) ?? { revision, watchers: new Set() };
      stores.set(storeId, store);
      store.watchers.add(watcher);
      noteReached(storeId, revision);
      return () => {
        store.watchers.delete(watcher);
        if (store.watchers.size === 0) stores.delete(storeId);
      };
    },
    read: (storeId: bigint, after: bigint): Promise<Batch> =>
      readOnce(`${storeId} ${after}`, async () => {
        const events = await readEvents(db, { storeId, after, limit: EVENTS_AT_ONCE });
        return {
          text: events.map(serverSent).join(''),
          upTo: events.at(-1)?.revision ?? after,
          isLast: BigInt(events.length) < EVENTS_AT_ONCE,
        };
      }),
    /** Ends all streams as whole answers: their readers may go on elsewhere. */
    close(): void {
      clearInterval(polls);
      for (const [stream, { end }] of streams) {
        end.abort();
        setTimeout(() => stream.destroy(), END_MS).unref();
      }
    },
  };
}

function serverSent(event: EventRow): string {
  return `id: ${event.revision}\nevent: ${event.type}\ndata: ${writeEvent(event)}\n\n`;
}
