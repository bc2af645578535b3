import { expect } from 'vitest';
import { createKey, join, type Member, newAddress, openBrowser, PASSWORD } from '../accounts/browser.ts';
import type { Answer } from '../support/http.ts';
import type { TestService } from '../support/service.ts';

/** An operation as it succeeds, or is refused, for somebody who is new each time. */
export interface Operation {
  readonly name: string;
  readonly status: number;
  open(service: TestService): Promise<{
    ask(): Promise<Answer>;
    /** All that it may change, in the same words for whoever asks. */
    state(): Promise<unknown>;
    /** Something else, which must succeed. */
    next(): Promise<void>;
  }>;
}

const requests: ReadonlyArray<[request: string, status: number, body?: object, idempotencyKey?: string]> = [
  ['GET /v1/store/orders', 200],
  ['DELETE /v1/store/orders/2', 204],
  ['GET /v1/pets', 200],
  ['GET /v1/pets/1', 200],
  ['GET /v2/store/orders', 200],
  ['POST /v2/store/orders', 201, { petId: 5, quantity: 1 }],
  ['POST /v2/store/orders', 201, { petId: 5, quantity: 1 }, 'once'],
  ['POST /v2/store/orders', 409, { petId: 5, quantity: 1000 }, 'once'],
  ['GET /v2/store/orders/2', 200],
  ['DELETE /v2/store/orders/2', 204],
  ['POST /v2/store/orders/2/ship', 200],
  ['POST /v2/store/orders/2/deliver', 409],
  ['GET /v2/store/orders/2/history', 200],
  ['GET /v2/pets', 200],
  ['POST /v2/pets', 201, { name: 'Rex', category: 'dog', stock: 3 }],
  ['GET /v2/pets/1', 200],
  ['PATCH /v2/pets/1', 200, { stock: 7 }],
  ['GET /v2/store/events', 200],
  ['GET /v2/webhooks', 200],
  ['POST /v2/webhooks', 201, { url: 'https://example.com/' }],
];

/** Every kind of operation of both versions, each in a new store. */
export const apiOperations: readonly Operation[] = requests.map(
  ([request, status, body, idempotencyKey]) => ({
    name: `${request}${idempotencyKey ? ` ${idempotencyKey}` : ''}`,
    status,
    async open(service) {
      const { key, storeId } = await service.openStore();
      const headers = {
        ...(body && { 'content-type': 'application/json' }),
        ...(idempotencyKey && { 'idempotency-key': idempotencyKey }),
      };
      return {
        ask: () => service.request(request, { key, headers, ...(body && { body: JSON.stringify(body) }) }),
        state: () => stateOfStore(service, storeId),
        async next() {
          expect((await service.request('GET /v1/store/orders', { key })).status).toBe(200);
          expect((await service.request('DELETE /v1/store/orders/6', { key })).status).toBe(204);
        },
      };
    },
  }),
);

async function stateOfStore({ database }: TestService, storeId: bigint): Promise<unknown> {
  const of = (columns: string, table: string, id = 'store_id') =>
    database.rows(`SELECT ${columns} FROM ${table} WHERE ${id} = ${storeId} ORDER BY 1`);
  return [
    await of('next_order_id, next_pet_id, revision', 'stores', 'id'),
    await of('id, pet_id, quantity, ship_date, status, placed_at, updated_at, revision, sum', 'orders'),
    await of('id, name, category, stock, supplied, revision, sum', 'pets'),
    await of('key, fingerprint, answer, expires_at', 'idempotency'),
    await of('zone, earliest, latest', 'order_zones'),
    await of('revision, type', 'changes'),
    await of('url, active', 'webhooks'),
  ];
}

type Asking = (member: Member, keyId: string) => Promise<Answer>;

const asked: ReadonlyArray<[name: string, status: number, ask: Asking]> = [
  [
    'POST /sign-in',
    200,
    ({ browser, email }) => browser.send('POST /sign-in', { email, password: PASSWORD }),
  ],
  ['GET /session', 200, ({ browser }) => browser.send('GET /session')],
  ['GET /sessions', 200, ({ browser }) => browser.send('GET /sessions')],
  ['GET /events', 200, ({ browser }) => browser.send('GET /events')],
  ['GET /keys', 200, ({ browser }) => browser.send('GET /keys')],
  ['POST /keys', 201, ({ browser }) => browser.send('POST /keys', { name: 'another' })],
  [
    'POST /keys/:keyId/roll',
    201,
    ({ browser }, id) => browser.send(`POST /keys/${id}/roll`, { overlap: 'now' }),
  ],
  ['DELETE /keys/:keyId', 204, ({ browser }, id) => browser.send(`DELETE /keys/${id}`)],
  ['POST /token', 200, ({ browser }) => browser.send('POST /token')],
  ['POST /sign-out', 204, ({ browser }) => browser.send('POST /sign-out')],
  ['POST /sign-out-everywhere', 204, ({ browser }) => browser.send('POST /sign-out-everywhere')],
];

/** The operations of the console, each by a new member. */
export const consoleOperations: readonly Operation[] = [
  {
    name: 'POST /sign-up',
    status: 200,
    async open(service) {
      const email = newAddress();
      const browser = openBrowser(service);
      return {
        ask: () => browser.send('POST /sign-up', { email, password: PASSWORD }),
        state: () => stateOfMember(service, email),
        next: async () => void (await join(service)),
      };
    },
  },
  ...asked.map(([name, status, ask]) => ({
    name,
    status,
    async open(service: TestService) {
      const member = await join(service);
      await member.browser.send('GET /session');
      const { id } = await createKey(member, { name: 'one' });
      return {
        ask: () => ask(member, id),
        state: () => stateOfMember(service, member.email),
        next: async () => void (await join(service)),
      };
    },
  })),
];

async function stateOfMember({ database }: TestService, email: string): Promise<unknown> {
  const account = `(SELECT id FROM accounts WHERE email = '${email}')`;
  return [
    await database.rows(`SELECT count(*) AS n FROM accounts WHERE email = '${email}'`),
    await database.rows(`SELECT password FROM credentials WHERE account_id = ${account}`),
    await database.rows(`SELECT count(*) AS n FROM sessions WHERE account_id = ${account}`),
    await database.rows(
      `SELECT name, scope, expires_at, revoked_at, CASE WHEN session_id IS NULL THEN 0 ELSE 1 END AS short FROM keys
       WHERE store_id = (SELECT id FROM stores WHERE owner = ${account}) ORDER BY 1, 2, 3, 4, 5`,
    ),
    await database.rows(`SELECT what FROM audit WHERE account_id = ${account} ORDER BY 1`),
  ];
}
