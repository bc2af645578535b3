import type { IncomingMessage } from 'node:http';
import { createForeign, type Foreign, type Reply } from './service.ts';

/**
 * A service that rejects everything undocumented: query parameters and bodies are 400, every other path or method 404.
 * Each fiftieth request is 429, its 409 has no body, its dates are in microseconds, and no order says whether it is complete.
 */
export function createKiosk(): Foreign {
  const kiosk = createForeign();
  kiosk.prefix = '/v1';
  kiosk.orders = Array.from({ length: 1_200 }, (_, at) => {
    const id = (1_200 - at) * 3;
    const shipDate = `2026-${String(1 + (at % 12)).padStart(2, '0')}-10T08:30:00.123456Z`;
    return { id, state: at % 4 === 0 ? 'shipped' : 'pending', shown: { shipDate, quantity: at, id } };
  });
  let requests = 0;
  kiosk.before = () => {
    requests += 1;
    if (requests % 50 > 0) return undefined;
    return { ...kiosk.error(429, 'Later.'), headers: { 'Retry-After': new Date().toUTCString() } };
  };
  const { listOrders, cancelOrder } = kiosk;
  const isUndocumented = (url: URL, { headers }: IncomingMessage) =>
    url.search !== '' || (headers['content-length'] ?? '0') !== '0';
  const strict = (url: URL, request: IncomingMessage, reply: () => Reply) =>
    isUndocumented(url, request) ? kiosk.error(400, 'Not that.') : reply();
  kiosk.listOrders = (url, request) => strict(url, request, () => listOrders(url, request));
  kiosk.cancelOrder = (id, url, request) =>
    strict(url, request, () => {
      const reply = cancelOrder(id, url, request);
      return reply.status === 409 ? { status: 409 } : reply;
    });
  kiosk.listPets = () => ({ status: 200, body: [] });
  return kiosk;
}
