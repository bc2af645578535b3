import type { OriginResponse } from './origin/reply.ts';
import type { Header } from './wire/head.ts';

/** Headers of the service that tell caches what they may do. */
const cacheHeaders: readonly Header[] = [
  ['cache-control', 'private, no-cache'],
  ['vary', 'Authorization, Accept-Encoding'],
];
export const streamHeaders: readonly Header[] = [
  ['content-type', 'text/event-stream'],
  ['cache-control', 'no-store'],
  ['x-accel-buffering', 'no'],
];

/** A JSON response with the headers of the service. */
export const json = (status: number, body: string, headers: readonly Header[] = []): OriginResponse => ({
  status,
  headers: [...cacheHeaders, ...headers, ['content-type', 'application/json']],
  body,
});

export const errorOf = (status: number, code: string, message: string): string =>
  JSON.stringify({ code, message, status });

/** A list of orders with these ids, written as given: those beyond 2^53 stay exact. */
export const orders = (...ids: readonly string[]): string =>
  `[${ids.map((id) => `{"id":${id},"petId":6,"quantity":3,"shipDate":"2026-09-04T17:30:00.000Z","complete":true}`).join(',')}]`;

export const list = (...ids: readonly string[]): OriginResponse =>
  json(200, orders(...(ids.length === 0 ? ['1', '2'] : ids)), [['etag', 'W/"x68rcsev3s3p-3"']]);

export const noContent: OriginResponse = { status: 204, headers: cacheHeaders };

export const event = (id: string): string =>
  `id: ${id}\nevent: order.shipped\ndata: {"id":"${id}","type":"order.shipped"}\n\n`;
