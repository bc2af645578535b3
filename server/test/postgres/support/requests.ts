import { expect } from 'vitest';

export interface Reply {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

export interface Reachable {
  readonly port: number;
}

/** Sends `GET /v1/pets` and the like with a key. */
export async function sendRequest(
  { port }: Reachable,
  request: string,
  key = '',
  init: RequestInit = {},
): Promise<Reply> {
  const [method = '', path = ''] = request.split(' ');
  const headers = { authorization: `Bearer ${key}`, ...init.headers };
  const response = await fetch(`http://127.0.0.1:${port}${path}`, { ...init, method, headers });
  return { status: response.status, headers: response.headers, text: await response.text() };
}

/** 503 as the interface promises it. */
export function expectUnavailable(reply: Reply | undefined): void {
  expect([reply?.status, reply?.text]).toEqual([503, expect.stringContaining('"unavailable"')]);
  expect(reply?.headers.get('retry-after')).toMatch(/^\d+$/);
}

/** One of each kind of request that needs the database, concurrently. */
export function oneOfEach(service: Reachable, key: string): Promise<Reply[]> {
  return Promise.all([
    sendRequest(service, 'GET /v1/store/orders', key),
    sendRequest(service, 'GET /v1/pets', key),
    sendRequest(service, 'GET /v2/store/orders?status=pending&sort=-shipDate', key),
    sendRequest(service, 'GET /v2/store/orders/2', key),
    placeOrder(service, key),
    sendRequest(service, 'DELETE /v1/store/orders/2', key),
    sendRequest(service, 'POST /v2/store/orders/4/ship', key),
  ]);
}

export function placeOrder(
  service: Reachable,
  key: string,
  headers: Record<string, string> = {},
): Promise<Reply> {
  return sendRequest(service, 'POST /v2/store/orders', key, {
    body: '{"petId":5,"quantity":1}',
    headers: { 'content-type': 'application/json', ...headers },
  });
}

/** Ids on the list of v1. */
export async function listedIds(service: Reachable, key: string): Promise<number[]> {
  const { status, text } = await sendRequest(service, 'GET /v1/store/orders', key);
  if (status !== 200) throw new Error(`listOrders returned ${status}`);
  return (JSON.parse(text) as Array<{ id: number }>).map(({ id }) => id);
}
