import type { Database } from '../database/engine.ts';
import { query } from '../database/query.ts';
import { Slots } from '../database/slots.ts';
import { writeDateTime } from '../http/content/date-time.ts';
import { jsonTextAnswer } from '../http/content/json-answer.ts';
import { ApiError } from '../http/errors.ts';
import { notFound } from '../http/openapi/answers.ts';
import { answer, errorAnswer } from '../http/openapi/document-parts.ts';
import { operation } from '../http/openapi/operation.ts';
import { yieldTurn } from '../http/server/yield-turn.ts';
import { type Order, orderColumns } from '../orders/order.ts';
import { orderCount } from '../orders/order-counts.ts';
import { petCount } from '../pets/create-pet.ts';
import { type Pet, petColumns } from '../pets/pet.ts';
import { MOST_OWN } from './limits.ts';
import { ownData } from './own-data-fields.ts';

/** Rows that are read and written in one turn of the event loop. */
const TURN = 500n;

export const exportData = operation({
  operationId: 'exportData',
  at: 'GET /sandbox/data',
  stability: 'experimental',
  tag: 'sandbox',
  summary: 'Export the data of the store',
  description: `All pets and orders, up to ${MOST_OWN} of each, as \`data\` takes them: sent back in a reset, they give the same lists.`,
  answers: {
    ...notFound,
    200: answer('The data of the store.', 'StoreData', ownData),
    409: errorAnswer('More pets or orders than that.', ['too_much_data']),
  },
  handle: ({ db }: { readonly db: Database }) => {
    const slots = new Slots(1);
    return async ({ request, caller: { storeId, tenantId } }) => {
      const end = await slots.take(tenantId);
      try {
        await using snapshot = await db.snapshot();
        const counts = [await petCount(snapshot, storeId), await orderCount(snapshot, storeId)];
        if (counts.some((count) => count > MOST_OWN)) throw new ApiError('too_much_data');
        const pets = await listed(
          (after) => snapshot.all(petPage, { storeId, after, limit: TURN }),
          writePet,
        );
        const orders = await listed(
          (after) => snapshot.all(orderPage, { storeId, after, limit: TURN }),
          writeOrder,
        );
        return await jsonTextAnswer(request, `{"pets":[${pets}],"orders":[${orders}]}`);
      } finally {
        end();
      }
    };
  },
});

async function listed<R extends { id: bigint }>(
  read: (after: bigint) => Promise<readonly R[]>,
  write: (row: R) => string,
): Promise<string> {
  const texts: string[] = [];
  for (let after = -(2n ** 63n); ; ) {
    const rows = await read(after);
    if (rows.length > 0) texts.push(rows.map(write).join());
    if (rows.length < TURN) return texts.join();
    after = (rows.at(-1) as R).id;
    await yieldTurn();
  }
}

const petPage = query((db, p: { storeId: bigint; after: bigint; limit: bigint }) =>
  db
    .selectFrom('pets')
    .select(petColumns)
    .where('store_id', '=', p.storeId)
    .where('id', '>', p.after)
    .orderBy('id')
    .limit(p.limit),
);

const orderPage = query((db, p: { storeId: bigint; after: bigint; limit: bigint }) =>
  db
    .selectFrom('orders')
    .select(orderColumns)
    .where('store_id', '=', p.storeId)
    .where('id', '>', p.after)
    .orderBy('id')
    .limit(p.limit),
);

function writePet(pet: Pet): string {
  const fields = petColumns.map((column) => [column, pet[column]] as const);
  const written = fields.map(
    ([name, value]) => `"${name}":${typeof value === 'bigint' ? value : JSON.stringify(value)}`,
  );
  return `{${written.join()}}`;
}

/** When an order was delivered or cancelled is told by no other of its dates. */
function writeOrder(order: Order): string {
  const hasEnded = order.status === 'delivered' || order.status === 'cancelled';
  return (
    `{"id":${order.id},"petId":${order.pet_id},"quantity":${order.quantity},` +
    `"shipDate":"${writeDateTime(order.ship_date)}","status":"${order.status}",` +
    `"placedAt":"${writeDateTime(order.placed_at)}"` +
    `${hasEnded ? `,"updatedAt":"${writeDateTime(order.updated_at)}"` : ''}}`
  );
}
