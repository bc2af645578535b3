import createClient from 'openapi-fetch';
import { greatHeaders, greatUrl, headers, play, some, url } from './scenario.ts';
import type { components, paths } from './schema.ts';

const store = createClient<paths>({ baseUrl: url, headers });
const great = createClient<paths>({ baseUrl: greatUrl, headers: greatHeaders });
const at = (orderId: number) => ({ path: { orderId } });

await play({
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
    return (await great.GET('/store/orders/{orderId}', { params })).response.status;
  },
  getGreat: async (id) => some((await great.GET('/store/orders/{orderId}', { params: at(id) })).data),
  events: async () =>
    some((await great.GET('/store/events', { params: { query: { after: '0' } } })).data).data,
  read: (text) => JSON.parse(text) as components['schemas']['Message'],
});
