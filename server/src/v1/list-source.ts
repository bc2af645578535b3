import { type RawBuilder, sql } from 'kysely';
import { yieldToEventLoop } from '../concurrency/yield-to-event-loop.ts';
import { type Connection, query } from '../database/query.ts';
import type { Schema } from '../database/schema.ts';
import { writeDateTime } from '../http/encoding/date-time.ts';
import { assertKnownStatus, states } from '../orders/states.ts';

export type ListSource = ReturnType<typeof listSource>;

export const SMALLEST_ID = -(2n ** 63n);

type ListedOrder = Pick<Schema['orders'], 'id' | 'pet_id' | 'quantity' | 'ship_date' | 'status' | 'revision'>;
type ListedPet = Pick<Schema['pets'], 'id' | 'name' | 'category' | 'stock' | 'revision'>;

export const orderList = listSource<ListedOrder>(
  'orders',
  sql`id, pet_id, quantity, ship_date, status, revision`,
  writeOrder,
);
export const petList = listSource<ListedPet>('pets', sql`id, name, category, stock, revision`, writePet);

/** Lists the columns of v1 by name, so that columns added for v2 do not change it. `write` returns undefined for rows to omit. */
function listSource<Row extends { id: bigint; revision: bigint }>(
  name: 'orders' | 'pets',
  columns: RawBuilder<unknown>,
  write: (row: Row) => string | undefined,
) {
  const page = query(
    (_, p: { storeId: bigint; after: bigint; limit: bigint }) => sql<Row>`
      SELECT ${columns} FROM ${sql.table(name)}
      WHERE store_id = ${p.storeId} AND id > ${p.after} ORDER BY id LIMIT ${p.limit}`,
  );
  return {
    name,
    /** `nextAfter` is the id after which the next page starts; undefined on the last page. */
    async read(connection: Connection, storeId: bigint, after: bigint, limit: number) {
      const rows = await connection.all(page, { storeId, after, limit: BigInt(limit) });
      let newestRevision = 0n;
      for (const { revision } of rows) if (revision > newestRevision) newestRevision = revision;
      const texts = rows.map(write).filter((text) => text !== undefined);
      const nextAfter = rows.length < limit ? undefined : rows.at(-1)?.id;
      return { text: texts.join(), nextAfter, newestRevision };
    },
  };
}

/** Exactly five fields. Cancelled orders are omitted. */
function writeOrder(order: ListedOrder): string | undefined {
  assertKnownStatus(order);
  if (order.status === 'cancelled') return undefined;
  return `{"id":${order.id},"petId":${order.pet_id},"quantity":${order.quantity},"shipDate":"${writeDateTime(order.ship_date)}","complete":${states[order.status].isComplete}}`;
}

export function writePet(pet: Omit<ListedPet, 'revision'>): string {
  const status = pet.stock > 0n ? 'available' : 'sold';
  return `{"id":${pet.id},"name":${JSON.stringify(pet.name)},"category":${JSON.stringify(pet.category)},"status":"${status}"}`;
}

export async function* listChunks(
  connection: Connection,
  source: ListSource,
  storeId: bigint,
  limit: number,
): AsyncGenerator<string> {
  let separator = '[';
  for (let after: bigint | undefined = SMALLEST_ID; after !== undefined; ) {
    const { text, nextAfter } = await source.read(connection, storeId, after, limit);
    if (text !== '') {
      yield separator + text;
      separator = ',';
    }
    after = nextAfter;
    if (after !== undefined) await yieldToEventLoop(storeId);
  }
  yield separator === '[' ? '[]' : ']';
}
