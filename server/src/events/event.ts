import { type Selectable, sql } from 'kysely';
import { type Connection, pick, query } from '../database/query.ts';
import { findRows } from '../database/rows.ts';
import type { Schema } from '../database/schema.ts';
import { orderStatuses } from '../domain/vocabulary.ts';
import { writeDateTime } from '../http/encoding/date-time.ts';
import { ApiError } from '../http/errors.ts';
import { type Order, recordedColumns } from '../orders/order.ts';
import { writeOrder } from '../orders/order-view.ts';
import { states } from '../orders/states.ts';
import { type Pet, petFieldNames } from '../pets/pet.ts';
import { writePet } from '../pets/pet-view.ts';

const ownColumns = ['revision', 'at', 'type', 'traceparent', 'order_id'] as const;
const columns = [...ownColumns, ...recordedColumns, ...petFieldNames] as const;

/** An entry of the change log: contains all data of its event, so that later changes do not affect it. */
export type EventRow = Selectable<Pick<Schema['changes'], (typeof columns)[number]>>;

/** The same bytes in lists, streams and webhooks, whenever it is read. */
export function writeEvent(event: EventRow): string {
  const { revision, type, at } = event;
  return `{"id":"${revision}","type":"${type}","at":"${writeDateTime(at)}","data":${writeData(event)}}`;
}

/** `store.reset` has no data. */
function writeData(event: EventRow): string {
  const { type, at, order_id, pet_id } = event;
  const status = orderStatuses.find((candidate) => states[candidate].event === type);
  if (status) {
    const recorded = pick(event, recordedColumns);
    return writeOrder({ id: order_id, ...recorded, status, updated_at: at } as Order);
  }
  return type.startsWith('pet.') ? writePet({ id: pet_id, ...pick(event, petFieldNames) } as Pet) : '{}';
}

export const eventsAfter = query((db, p: { storeId: bigint; after: bigint; limit: bigint }) =>
  db
    .selectFrom('changes')
    .select(columns)
    .where('store_id', '=', p.storeId)
    .where('revision', '>', p.after)
    .orderBy('revision')
    .limit(p.limit),
);

/** Reads without gaps: throws if events after `after` were deleted. 0 means from the oldest stored event. */
export async function readEvents(db: Connection, p: { storeId: bigint; after: bigint; limit: bigint }) {
  const events = await db.all(eventsAfter, p);
  if (p.after === 0n) return events;
  // Checked after reading, because events may have been deleted meanwhile.
  const [store] = await findRows(db, 'stores', { id: p.storeId }, ['events_forgotten']);
  if (!store || p.after >= store.events_forgotten) return events;
  const [oldest] = await db.all(eventsAfter, { storeId: p.storeId, after: 0n, limit: 1n });
  const stored = oldest ? `The oldest stored event is ${oldest.revision}` : 'No events are stored';
  throw new ApiError(
    'events_expired',
    `Events after that id have been deleted. ${stored}: start with after=0.`,
  );
}

export const revisionsOf = query((_, p: { ids: string }, engine) => {
  const isListed =
    engine === 'postgres'
      ? sql`id = ANY (CAST(string_to_array(${p.ids}, ',') AS bigint[]))`
      : sql`id IN (SELECT value FROM json_each('[' || ${p.ids} || ']'))`;
  return sql<{ id: bigint; revision: bigint }>`
    SELECT id, revision FROM stores WHERE ${isListed} AND closed_at IS NULL`;
});
