import { keyedSemaphore } from '../concurrency/keyed-semaphore.ts';
import { yieldToEventLoop } from '../concurrency/yield-to-event-loop.ts';
import { orderStatuses } from '../domain/vocabulary.ts';
import { jsonTextResponse } from '../http/content/negotiation.ts';
import { writeDateTime } from '../http/encoding/date-time.ts';
import { ApiError } from '../http/errors.ts';
import { serializer } from '../http/fields/view-fields.ts';
import { errorResponse, response, standardHeaders } from '../http/openapi/responses.ts';
import { operation } from '../http/operations/operation.ts';
import { readInSlices } from '../http/pages/page-response.ts';
import { rejectBeyondUnreadLimit } from '../http/server/send.ts';
import { newKey } from '../keys/manage-keys.ts';
import type { Order } from '../orders/order.ts';
import { orderPage } from '../orders/order-pages.ts';
import { orderViewFields } from '../orders/order-view.ts';
import { isFinal } from '../orders/states.ts';
import { petPage } from '../pets/pet.ts';
import { petViewFields } from '../pets/pet-view.ts';
import { FIRST_REVISION } from '../provisioning/open-store.ts';
import { endStore } from '../stores/end-stores.ts';
import { contentsResponses, newStoreBody, readContents, resetBody, writeContents } from './contents.ts';
import { customDataExample, MAX_ROWS_PER_LIST } from './custom-data.ts';
import { openTemporaryStore, replaceStore } from './prepared-stores.ts';
import type { SandboxServices } from './sandbox.ts';
import { requireCapacity } from './temporary-store-capacity.ts';

export const resetSandbox = operation({
  operationId: 'resetSandbox',
  at: 'POST /sandbox/reset',
  summary: 'Reset the store',
  description:
    'Replaces everything in the store atomically, and responds when it is done. Idempotency keys and armed faults are cleared. API keys keep working, and the revision keeps increasing. The same data set, seed and `today` always produce the same orders and pets, byte for byte. Your own `data` is validated completely before anything changes. `rateLimit` limits the requests to this store until a reset with `null` lifts it; sandbox operations are not counted.\n\nOne reset per store runs at a time; another gets 503. Up to eight stores with more than 1,000 orders or pets are filled at a time, two of them per owner. Stores with more than 100,000 orders are counted separately: four, one of them per owner. Further requests wait up to 5 seconds, then get 503. If the client disconnects, the reset is aborted.',
  body: resetBody,
  responses: contentsResponses(200, 'The store is reset.', 'StoreReset'),
  async handle({ request, caller, storeId, body: { rateLimit, ...body } }, services: SandboxServices) {
    const { tenantId, endsAt } = caller;
    const { db, writer, clock, quotas, fillStore } = services;
    const contents = await readContents(services, body);
    const isTemporary = endsAt !== null;
    const needed = { tenantId, storeId, orderCount: contents.orderCount, maxOrders: quotas.orders };
    const capacity = isTemporary ? needed : null;
    if (capacity) await requireCapacity(db, capacity, BigInt(clock()));
    const { revision } = await fillStore(request, contents, storeId, (preparedId) =>
      writer.apply(replaceStore, {
        replacedId: storeId,
        preparedId,
        capacity,
        rateLimit,
        at: BigInt(clock()),
      }),
    );
    return jsonTextResponse(request, `{${writeContents(contents, revision)}}`);
  },
});

const EXPORTED_PER_TICK = 500n;
const exportsPerTenant = keyedSemaphore(1);

export const exportData = operation({
  operationId: 'exportData',
  at: 'GET /sandbox/data',
  summary: 'Export the data of a store',
  description: `Returns all pets and orders, up to ${MAX_ROWS_PER_LIST} of each, in the format of \`data\`. Send it back in a reset to restore the same lists.`,
  responses: {
    200: response('The data of the store.', 'StoreData', customDataExample),
    409: errorResponse('The store has too many pets or orders to export.', ['too_much_data']),
  },
  async handle({ request, caller: { storeId, tenantId } }, { db }: SandboxServices) {
    using _ = await exportsPerTenant.acquire(tenantId);
    rejectBeyondUnreadLimit(request);
    await using snapshot = await db.snapshot();
    const pets = await writeAll(storeId, writePet, (last, limit) =>
      petPage(snapshot, { storeId, after: last?.id, limit }),
    );
    const orders = await writeAll(storeId, writeOrder, async (last: Order | undefined, limit) => {
      const after = last && ([last.ship_date, last.id] as const);
      const slices = orderPage(snapshot, { storeId, statuses: orderStatuses, sort: 'id', after, limit });
      return (await Array.fromAsync(slices)).flat();
    });
    return await jsonTextResponse(request, `{"pets":[${pets}],"orders":[${orders}]}`);
  },
});

export const openStoreOperation = operation({
  operationId: 'openStore',
  at: 'POST /sandbox/stores',
  summary: 'Create a temporary store',
  description:
    'Creates a store with its own API key, for one worker of a test suite. It takes the same contents as a reset, the demonstration data by default. The store and its key are deleted after `expiresIn` seconds, by `DELETE /sandbox/stores/current`, or together with the store that created it. Up to 100 temporary stores can exist at a time. Their requests count towards the rate limit of the store that created them; `rateLimit` adds one of their own.',
  body: newStoreBody,
  responses: {
    ...contentsResponses(201, 'The store is created. Its key is shown only in this response.', 'NewStore', {
      key: 'pst_test_…',
      expiresAt: '2026-12-01T10:30:00.000Z',
    }),
    403: errorResponse('The key is read-only, or belongs to a temporary store.', ['forbidden']),
    409: errorResponse('The limit for temporary stores, or for their pets or orders, is reached.', [
      'store_limit_reached',
      'order_limit_reached',
      'pet_limit_reached',
    ]),
  },
  async handle({ request, caller, body: { expiresIn, rateLimit, ...given } }, services: SandboxServices) {
    const { tenantId, storeId, endsAt: callerEndsAt } = caller;
    if (callerEndsAt !== null)
      throw new ApiError('forbidden', 'A temporary store cannot create further temporary stores.');
    const { db, writer, clock, quotas, deployment, fillStore } = services;
    const body = given.data === undefined ? { dataSet: 'default' as const, ...given } : given;
    const contents = await readContents(services, body);
    const capacity = { tenantId, storeId, orderCount: contents.orderCount, maxOrders: quotas.orders };
    await requireCapacity(db, capacity, BigInt(clock()));
    const { key, details } = newKey(deployment, 'sandbox');
    const endsAt = await fillStore(request, contents, null, async (preparedId) => {
      const at = BigInt(clock());
      const endsAt = at + expiresIn * 1000n;
      await writer.apply(openTemporaryStore, { capacity, preparedId, key: details, rateLimit, endsAt, at });
      return endsAt;
    });
    const text = `${writeContents(contents, FIRST_REVISION)},"key":"${key}","expiresAt":"${writeDateTime(endsAt)}"`;
    return jsonTextResponse(request, `{${text}}`, 201);
  },
});

export const endStoreOperation = operation({
  operationId: 'endStore',
  at: 'DELETE /sandbox/stores/current',
  summary: 'Delete a temporary store',
  description:
    'Deletes the temporary store that the API key belongs to, with its data and the key. Stores not created by `POST /sandbox/stores` return 404.',
  responses: { 204: { description: 'The store and its key are deleted.', headers: standardHeaders } },
  async handle({ caller: { storeId, endsAt } }, { writer, clock }: SandboxServices) {
    if (endsAt === null)
      throw new ApiError(
        'not_found',
        'Only temporary stores created by POST /v2/sandbox/stores can be deleted.',
      );
    await writer.apply(endStore, { storeId, at: BigInt(clock()) });
    return { status: 204 };
  },
});

async function writeAll<R>(
  storeId: bigint,
  write: (row: R) => string,
  read: Parameters<typeof readInSlices<R>>[2],
) {
  const texts: string[] = [];
  for await (const rows of readInSlices(BigInt(MAX_ROWS_PER_LIST), EXPORTED_PER_TICK, read).slices) {
    texts.push(...rows.map(write));
    await yieldToEventLoop(storeId);
  }
  if (texts.length > MAX_ROWS_PER_LIST) throw new ApiError('too_much_data');
  return texts.join();
}

const { status: _, ...petFields } = petViewFields;
const writePet = serializer(petFields);

const { complete, updatedAt, ...orderFields } = orderViewFields;
const writeNonFinal = serializer(orderFields);
const writeFinal = serializer({ ...orderFields, updatedAt });

/** The data has `updatedAt` only for final orders, where it is the time of delivery or cancellation. */
function writeOrder(order: Order): string {
  return isFinal(order.status) ? writeFinal(order) : writeNonFinal(order);
}
