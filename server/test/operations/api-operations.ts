import { expect } from 'vitest';
import { everyCall } from '../support/effort.ts';
import type { Response } from '../support/http.ts';
import type { TestService } from '../support/service.ts';
import type { Operation } from './operation.ts';

interface Sent {
  readonly body?: unknown;
  readonly headers?: Record<string, string>;
}

type Sample = Sent & {
  /** Requests to send first. */
  readonly after?: ReadonlyArray<readonly [request: string, body?: unknown]>;
};

const once = { 'idempotency-key': 'once' };
const toOrder = { petId: 5, quantity: 1 };
const ada = { name: 'Ada', category: 'cat', stock: 1 };
const refusing = [{ operation: 'v2.placeOrder', fault: 'status', parameters: { code: 409 } }];

// An inactive webhook: nothing is sent to it in the background.
const webhook = [
  ['POST /v2/webhooks', { url: 'https://receiver.invalid/' }],
  ['PATCH /v2/webhooks/{webhookId}', { active: false }],
] as const;
const delivery = [...webhook, ['POST /v2/webhooks/{webhookId}/test']] as const;

const requests: ReadonlyArray<[route: string, status: number, sample?: Sample]> = [
  ['GET /v1/store/orders', 200],
  ['DELETE /v1/store/orders/{orderId}', 204],
  ['GET /v1/pets', 200],
  ['GET /v1/pets/{petId}', 200],
  ['GET /v2/store/orders', 200],
  ['QUERY /v2/store/orders', 200, { body: { status: ['pending'] } }],
  ['POST /v2/store/orders', 201, { body: toOrder }],
  ['POST /v2/store/orders', 201, { body: toOrder, headers: once }],
  ['POST /v2/store/orders', 409, { body: { petId: 5, quantity: 1000 }, headers: once }],
  ['GET /v2/store/orders/{orderId}', 200],
  ['DELETE /v2/store/orders/{orderId}', 204],
  ['POST /v2/store/orders/{orderId}/ship', 200],
  ['POST /v2/store/orders/{orderId}/deliver', 200, { after: [['POST /v2/store/orders/{orderId}/ship']] }],
  ['POST /v2/store/orders/{orderId}/deliver', 409],
  ['GET /v2/store/orders/{orderId}/history', 200],
  ['GET /v2/store/summary', 200],
  ['GET /v2/pets', 200],
  ['POST /v2/pets', 201, { body: { name: 'Rex', category: 'dog', stock: 3 } }],
  ['GET /v2/pets/{petId}', 200],
  ['PATCH /v2/pets/{petId}', 200, { body: { stock: 7 } }],
  ['GET /v2/store/events', 200],
  // A stream that opens has no end to wait for.
  ['GET /v2/store/events/stream', 400, { headers: { 'last-event-id': 'x' } }],
  ['GET /v2/store/requests', 200],
  ['GET /v2/webhooks', 200],
  ['POST /v2/webhooks', 201, { body: { url: 'https://receiver.invalid/' } }],
  ['GET /v2/webhooks/{webhookId}', 200, { after: webhook }],
  ['PATCH /v2/webhooks/{webhookId}', 200, { after: webhook, body: { url: 'https://receiver.invalid/' } }],
  ['DELETE /v2/webhooks/{webhookId}', 204, { after: delivery }],
  ['POST /v2/webhooks/{webhookId}/roll-secret', 200, { after: webhook }],
  ['POST /v2/webhooks/{webhookId}/test', 202, { after: webhook }],
  ['GET /v2/webhooks/{webhookId}/deliveries', 200, { after: delivery }],
  ['POST /v2/webhooks/{webhookId}/deliveries/{deliveryId}/redeliver', 202, { after: delivery }],
];

/** Its orders are created in two steps. */
const inSteps: (typeof requests)[number] = [
  'POST /v2/sandbox/reset',
  200,
  { body: { dataSet: 'large', orders: 1100 } },
];

/** Staging only: its own operations, and preferences of other requests. */
const requestsOfSandbox: typeof requests = [
  ['POST /v2/sandbox/reset', 200, { body: { dataSet: 'empty' }, after: [...webhook] }],
  ...(everyCall ? [inSteps] : []),
  ['POST /v2/sandbox/reset', 200, { body: { data: { pets: [ada], orders: [{ petId: 1, quantity: 1 }] } } }],
  ['GET /v2/sandbox/data', 200],
  ['POST /v2/sandbox/stores', 201, { body: { dataSet: 'int64' } }],
  ['DELETE /v2/sandbox/stores/current', 404],
  ['GET /v2/sandbox/faults', 200, { after: [['PUT /v2/sandbox/faults', refusing]] }],
  ['PUT /v2/sandbox/faults', 200, { body: refusing }],
  ['DELETE /v2/sandbox/faults', 204, { after: [['PUT /v2/sandbox/faults', refusing]] }],
  ['POST /v2/store/orders', 409, { body: toOrder, after: [['PUT /v2/sandbox/faults', refusing]] }],
  ['POST /v2/store/orders', 201, { body: toOrder, headers: { prefer: 'now="2027-01-01T00:00:00Z"' } }],
];

/** Every operation of both versions, each in a new store. */
export const apiOperations = requests.map(operationOf);
export const sandboxOperations = requestsOfSandbox.map(operationOf);

/** What agents call, and machines that watch the service. */
export const otherOperations: readonly Operation[] = [
  operationOf(['POST /mcp', 200, { body: callOf('placeOrder', { petId: '5', quantity: 1 }) }]),
  ...['/healthz', '/readyz', '/metrics'].map((path) => operationOf([`GET ${path}`, 200])),
];

function callOf(name: string, args: object): object {
  return { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: args } };
}

function operationOf([route, status, sample = {}]: (typeof requests)[number]): Operation {
  const { after = [], body, headers = {} } = sample;
  const details = [...Object.values(headers), ...(body ? [JSON.stringify(body)] : [])];
  return {
    name: [route, ...details].join(' '),
    route,
    status,
    async open(service) {
      const { key, keyId } = await service.openStore();
      const ids: Record<string, string> = { orderId: '2', petId: '1', deliveryId: '1' };
      const sendRequest = async (to: string, { body, headers }: Sent = {}) =>
        asError(
          await service.request(
            to.replace(/\{(\w+)\}/g, (_, name) => ids[name] ?? name),
            {
              key,
              headers: { ...headers, ...(body !== undefined && { 'content-type': 'application/json' }) },
              ...(body !== undefined && { body: JSON.stringify(body) }),
            },
          ),
        );
      for (const [request, body] of after) {
        const response = await sendRequest(request, { body });
        expect([request, response.status < 300]).toEqual([request, true]);
        if (request === 'POST /v2/webhooks') ids.webhookId = response.json<{ id: string }>().id;
      }
      return {
        sendRequest: () => sendRequest(route, { body, headers }),
        state: () => stateOfStore(service, keyId),
        async next() {
          expect((await sendRequest('GET /v1/store/orders')).status).toBe(200);
          expect(
            (await sendRequest('POST /v2/pets', { body: { name: 'Rex', category: 'dog', stock: 1 } })).status,
          ).toBe(201);
        },
      };
    },
  };
}

/** A failed tool is a protocol response with the Error inside. */
function asError(response: Response): Response {
  if (!response.text.includes('"isError":true')) return response;
  const { content } = JSON.parse(/\{.*\}/.exec(response.text)?.[0] ?? '').result;
  const error = JSON.parse(content[0].text);
  return { ...response, status: error.status, json: <T>() => error as T };
}

/** By its key: a reset puts another store in its place. */
async function stateOfStore({ database }: TestService, keyId: string): Promise<unknown> {
  const storeId = `(SELECT store_id FROM keys WHERE id = '${keyId}')`;
  const of = (columns: string, table: string, id = 'store_id') =>
    database.rows(`SELECT ${columns} FROM ${table} WHERE ${id} = ${storeId} ORDER BY 1`);
  return [
    await of('next_order_id, next_pet_id, revision, faults_until', 'stores', 'id'),
    await of('id, pet_id, quantity, ship_date, status, placed_at, updated_at, revision', 'orders'),
    await of('id, name, category, stock, revision', 'pets'),
    await of('key, fingerprint, answer, expires_at', 'idempotency'),
    await of('revision, type', 'changes'),
    await of('position, operation, fault, drawn, fired', 'faults'),
    await of('url, active, next_delivery_id, old_secret_until', 'webhooks'),
    await database.rows(
      `SELECT id, body, status, tries, next_at FROM deliveries
       WHERE webhook_id IN (SELECT id FROM webhooks WHERE store_id = ${storeId}) ORDER BY 1`,
    ),
  ];
}
