import { openSlots } from '../database/slots.ts';
import { jsonTextAnswer } from '../http/content/negotiation.ts';
import { ApiError } from '../http/errors.ts';
import { writerOf } from '../http/fields/body.ts';
import { answer, errorAnswer } from '../http/openapi/answers.ts';
import { operation } from '../http/openapi/operation.ts';
import { slicesOf } from '../http/pages/page-answer.ts';
import type { Order } from '../orders/order.ts';
import { orderPage } from '../orders/order-pages.ts';
import { shownOrderFields } from '../orders/shown-order.ts';
import { isFinal } from '../orders/states.ts';
import { petPage } from '../pets/pet.ts';
import { shownPetFields } from '../pets/shown-pet.ts';
import { orderStatuses } from '../vocabulary.ts';
import { yieldTurn } from '../yield-turn.ts';
import { MOST_OF_EACH, ownData } from './own-data.ts';
import type { SandboxServices } from './sandbox.ts';

const TURN = 500n;
const slots = openSlots(1);

export const exportData = operation({
  operationId: 'exportData',
  at: 'GET /sandbox/data',
  summary: 'Export the data of the store',
  description: `All pets and orders, up to ${MOST_OF_EACH} of each, as \`data\` takes them: sent back in a reset, they give the same lists.`,
  answers: {
    200: answer('The data of the store.', 'StoreData', ownData),
    409: errorAnswer('More pets or orders than that.', ['too_much_data']),
  },
  async handle({ request, caller: { storeId, tenantId } }, { db }: SandboxServices) {
    using _ = await slots.take(tenantId);
    await using snapshot = await db.snapshot();
    const pets = await writeAll(writePet, (last, limit) =>
      petPage(snapshot, { storeId, after: last?.id, limit }),
    );
    const orders = await writeAll(writeOrder, async (last: Order | undefined, limit) => {
      const after = last && ([last.ship_date, last.id] as const);
      const slices = orderPage(snapshot, { storeId, statuses: orderStatuses, sort: 'id', after, limit });
      return (await Array.fromAsync(slices)).flat();
    });
    return await jsonTextAnswer(request, `{"pets":[${pets}],"orders":[${orders}]}`);
  },
});

async function writeAll<R>(
  write: (row: R) => string,
  read: Parameters<typeof slicesOf<R>>[2],
): Promise<string> {
  const texts: string[] = [];
  for await (const rows of slicesOf(BigInt(MOST_OF_EACH), TURN, read).slices) {
    texts.push(...rows.map(write));
    await yieldTurn();
  }
  if (texts.length > MOST_OF_EACH) throw new ApiError('too_much_data');
  return texts.join();
}

const { status: _, ...petFields } = shownPetFields;
const writePet = writerOf(petFields);

const { complete, updatedAt, ...orderFields } = shownOrderFields;
const writeOngoing = writerOf(orderFields);
const writeFinal = writerOf({ ...orderFields, updatedAt });

/** Of a final order, no other date tells when it came into its state. */
function writeOrder(order: Order): string {
  return isFinal(order.status) ? writeFinal(order) : writeOngoing(order);
}
