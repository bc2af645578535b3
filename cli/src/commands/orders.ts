import {
  type Client,
  ConflictError,
  NotFoundError,
  type Order,
  type OrderFilter,
  type OrderHistoryEntry,
  PetStoreError,
} from '../../../client/src/index.ts';
import { writeJson } from '../../../client/src/json.ts';
import { inputLimits } from '../../../console/src/api/contract.generated.ts';
import { UsageError } from '../../../server/src/config/usage-error.ts';
import type { Call, CommandHandler } from '../command-group.ts';
import { clientOf } from '../connection.ts';
import { asJson, exitCodeOf, explainResponse } from '../exit-codes.ts';
import { showListing } from '../listing.ts';
import { countFrom, int64From } from '../numbers.ts';
import { type Column, coloured, exitWhenReaderCloses, plain, print, Rows, show, utc } from '../output.ts';

const columnsWith = (petOf: (order: Order) => unknown): readonly Column<Order>[] => [
  ['ID', ({ id }) => id],
  ['PET', petOf],
  ['QUANTITY', ({ quantity }) => quantity],
  ['STATUS', ({ status }) => status],
  ['SHIP DATE', ({ shipDate }) => utc(shipDate)],
  ['PLACED', ({ placedAt }) => utc(placedAt)],
  ['UPDATED', ({ updatedAt }) => utc(updatedAt)],
];
const columns = columnsWith(({ petId }) => petId);

export const listOrders = exitWhenReaderCloses(async (call) => {
  const { values } = call;
  const filter = {
    status: values.status?.toString() as OrderFilter['status'],
    petId: values.pet === undefined ? undefined : int64From('--pet', values.pet),
    complete: values.complete as boolean | undefined,
    shipDateFrom: values.from?.toString(),
    shipDateTo: values.to?.toString(),
    sort: (values.sort ?? '-id') as OrderFilter['sort'],
  };
  const client = clientOf(call);
  const names = values.json === true ? undefined : await petNames(client);
  const columnsWithNames = columnsWith(({ petId }) => [petId, names?.get(petId)].filter(Boolean).join(' '));
  await showListing('orders', call, columnsWithNames, (limit) => client.orders.list({ ...filter, limit }));
});

/** Pet names by id. */
async function petNames({ pets }: Client): Promise<ReadonlyMap<bigint, string>> {
  const names = new Map<bigint, string>();
  for await (const { id, name } of pets.list({ limit: 1000 })) names.set(id, name);
  return names;
}

export async function getOrder(call: Call): Promise<void> {
  const id = orderId(call.args[0]);
  const client = clientOf(call);
  const [order, history] = await Promise.all([client.orders.get(id), client.orders.history(id)]);
  const historyColumns: readonly Column<{ history: readonly OrderHistoryEntry[] }>[] = history.map(
    ({ status, at }) => [status.toUpperCase(), () => utc(at)],
  );
  const { name } = call.values.json === true ? {} : await client.pets.get(order.petId);
  const columnsWithNames = columnsWith(({ petId }) => `${petId} ${name}`);
  // The history replaces the last two columns, PLACED and UPDATED.
  await show({ ...order, history }, [...columnsWithNames.slice(0, -2), ...historyColumns], call);
}

export async function placeOrder(call: Call): Promise<void> {
  const { pet, quantity = '1', 'ship-date': shipDate, 'idempotency-key': idempotencyKey } = call.values;
  if (pet === undefined)
    throw new UsageError('orders place requires --pet PET_ID; run petstore pets list to see pets');
  const order = {
    petId: int64From('--pet', pet),
    quantity: countFrom('--quantity', quantity, inputLimits.quantity),
    ...(shipDate === undefined ? {} : { shipDate: String(shipDate) }),
  };
  const options = idempotencyKey === undefined ? {} : { idempotencyKey: String(idempotencyKey) };
  await show(await clientOf(call).orders.place(order, options), columns, call);
}

/** Changes orders one by one. A rejected order is reported by id, and the others proceed. */
const changeEach = (change: (client: Client, id: bigint) => Promise<Order>): CommandHandler =>
  // Exit code 1 if the reader closes the pipe: some orders may not have been changed.
  exitWhenReaderCloses(async (call) => {
    const ids = call.args.map(orderId);
    const client = clientOf(call);
    const rows = new Rows(columns, call, 'orders');
    const report = (text: string, error: object, code: number) =>
      call.stderr.write(call.values.json === true ? `${asJson(error, text, code)}\n` : `petstore: ${text}\n`);
    let done = 0;
    let exitCode = 0;
    try {
      for (const [at, id] of ids.entries()) {
        try {
          await rows.write([await change(client, id)]);
          done += 1;
        } catch (error) {
          if (!(error instanceof PetStoreError)) throw error;
          const concernsThisOrder = error instanceof NotFoundError || error instanceof ConflictError;
          exitCode = concernsThisOrder && ids.length > 1 ? 1 : exitCodeOf(error);
          report(`order ${id}: ${explainResponse(error)}`, error, exitCode);
          if (concernsThisOrder) continue;
          // With a rejected key or an unreachable service, the others would fail as well.
          for (const other of ids.slice(at + 1))
            report(`order ${other}: not tried`, { code: 'not_tried' }, exitCode);
          break;
        }
      }
    } finally {
      if (done > 0) await rows.end();
    }
    return exitCode;
  }, 1);

export const shipOrders = changeEach(({ orders }, id) => orders.ship(id));
export const deliverOrders = changeEach(({ orders }, id) => orders.deliver(id));
export const cancelOrders = changeEach(async ({ orders }, id) => {
  await orders.cancel(id);
  return orders.get(id).catch((error: PetStoreError) => {
    error.message = `Cancelled, but the order could not be read back. ${error.message}`;
    throw error;
  });
});

export const watchOrders = exitWhenReaderCloses(async (call) => {
  const { after, json } = call.values;
  const from = after === undefined ? undefined : int64From('--after', after);
  for await (const event of clientOf(call).events({ after: from, signal: call.interruption() })) {
    if (!event.type.startsWith('order.') && event.type !== 'store.reset') continue;
    if (json === true) {
      await print(`${writeJson(event)}\n`, call);
      continue;
    }
    const { id, petId, quantity, status } = event.data as Partial<Order>;
    const about = id === undefined ? '' : `order ${id}  pet ${petId}  quantity ${quantity}  ${status}`;
    const type = coloured('bold', plain(event.type).padEnd(16), call);
    await print(`${plain(utc(event.at, 'second'))}  ${type}  ${plain(about)}\n`, call);
  }
});

const orderId = (text: string | undefined): bigint => int64From('order ID', text);
