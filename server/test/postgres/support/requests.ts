import { expect } from 'vitest';
import type { Answer, Requester } from '../../support/http.ts';

/** 503 as the interface promises it. */
export function expectUnavailable(answer: Answer): void {
  expect([answer.status, answer.text]).toEqual([503, expect.stringContaining('"unavailable"')]);
  expect(answer.headers['retry-after']).toMatch(/^\d+$/);
}

/** One of each kind of request that needs the database, all at once. */
export function oneOfEach(request: Requester, key: string): Promise<Answer[]> {
  return Promise.all([
    request('GET /v1/store/orders', { key }),
    request('GET /v1/pets', { key }),
    request('GET /v2/store/orders?status=pending&sort=-shipDate', { key }),
    request('GET /v2/store/orders/2', { key }),
    placeOrder(request, key),
    request('DELETE /v1/store/orders/2', { key }),
    request('POST /v2/store/orders/4/ship', { key }),
  ]);
}

export function placeOrder(
  request: Requester,
  key: string,
  headers: Record<string, string> = {},
): Promise<Answer> {
  return request('POST /v2/store/orders', {
    key,
    body: '{"petId":5,"quantity":1}',
    headers: { 'content-type': 'application/json', ...headers },
  });
}
