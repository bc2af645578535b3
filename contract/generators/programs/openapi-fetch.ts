import createClient from 'openapi-fetch';
import { headers, largeHeaders, largeUrl, runScenario, some, url } from './scenario.ts';
import type { components, paths } from './schema.ts';

const store = createClient<paths>({ baseUrl: url, headers });
const large = createClient<paths>({ baseUrl: largeUrl, headers: largeHeaders });
const at = (orderId: number) => ({ path: { orderId } });

await runScenario({
  list: async (cursor) =>
    some((await store.GET('/store/orders', { params: { query: { limit: 15, cursor } } })).data),
  place: async (key) => {
    const params = { header: { 'Idempotency-Key': key } };
    return some((await store.POST('/store/orders', { params, body: { petId: 1, quantity: 1 } })).data);
  },
  get: async (id) => some((await store.GET('/store/orders/{orderId}', { params: at(id) })).data),
  cancel: async (id) => {
    const { response, error } = await store.DELETE('/store/orders/{orderId}', { params: at(id) });
    return [response.status, error?.code];
  },
  statusIfChanged: async (etag) => {
    const params = { ...at(1), header: { 'If-None-Match': etag } };
    return (await large.GET('/store/orders/{orderId}', { params })).response.status;
  },
  getLarge: async (id) => some((await large.GET('/store/orders/{orderId}', { params: at(id) })).data),
  events: async () =>
    some((await large.GET('/store/events', { params: { query: { after: '0' } } })).data).data,
  read: (text) => JSON.parse(text) as components['schemas']['Message'],
});
