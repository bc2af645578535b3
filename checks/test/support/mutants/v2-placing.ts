import { editJson, idIn, rejectWith } from '../../../src/bugs/mutations.ts';
import { becomes, inStatus, type Mutant, without } from './changes.ts';
import { inBody, type Json } from './json-changes.ts';

const operation = 'v2.placeOrder';

/** How orders are placed, and placed again. */
export const ofPlacing: readonly Mutant[] = [
  {
    name: 'a placed order is said to have shipped',
    noticedBy: 'v2.place',
    operation,
    ...editJson<Json>(201, (order) => Object.assign(order, { status: 'shipped' })),
  },
  {
    name: '`Location` names another order',
    noticedBy: 'v2.place',
    operation,
    response: inStatus(201, ({ headers }) => {
      headers.location = `/v2/store/orders/${Number(idIn(headers.location ?? '')) - 1}`;
    }),
  },
  {
    name: 'a ship date loses its time of day',
    noticedBy: 'v2.place',
    operation,
    ...inBody((body) => {
      body.shipDate = String(body.shipDate).replace(/T\d\d:\d\d:\d\d/, 'T00:00:00');
    }, 'shipDate'),
  },
  {
    name: '`+0000` is not understood',
    noticedBy: 'v2.place',
    operation,
    ...inBody((body) => {
      body.shipDate = String(body.shipDate).replace('+0000', '');
    }, 'shipDate'),
  },
  {
    name: 'a pet that is not there is 404',
    noticedBy: 'v2.place',
    operation,
    response: inStatus(422, (response) => {
      if (response.body.includes('unknown_pet')) rejectWith(response, 404, 'not_found');
    }),
  },
  {
    name: 'text is taken for a number',
    noticedBy: 'v2.place',
    operation,
    ...inBody((body) => {
      body.quantity = Number(body.quantity);
    }, 'quantity'),
  },
  {
    name: 'a quantity beyond 1000 is 1000',
    noticedBy: 'v2.place',
    operation,
    ...inBody((body) => {
      if (body.quantity === 1001) body.quantity = 1000;
    }, 'quantity'),
  },
  {
    name: 'a field that an order does not have is passed over',
    noticedBy: 'v2.place',
    operation,
    ...inBody((body) => {
      delete body.note;
    }, 'note'),
  },
  {
    name: 'a state may be chosen',
    noticedBy: 'v2.place',
    operation,
    ...inBody((body) => {
      delete body.status;
    }, 'status'),
  },
  {
    name: 'any content type is JSON',
    noticedBy: 'v2.place',
    operation,
    request: ({ headers }) => {
      headers['content-type'] = 'application/json';
    },
  },
  {
    name: 'a compressed body is not seen to be one',
    noticedBy: 'v2.place',
    operation,
    request: ({ headers }) => {
      delete headers['content-encoding'];
    },
  },
  { name: 'a large body is 400', noticedBy: 'v2.place', operation, response: inStatus(413, becomes(400)) },
  {
    name: 'a replay is 200',
    noticedBy: 'v2.idempotency',
    operation,
    response: inStatus(201, (response) => {
      if ('idempotent-replayed' in response.headers) response.status = 200;
    }),
  },
  {
    name: 'a replay has no `Location`',
    noticedBy: 'v2.idempotency',
    operation,
    response: without('location'),
  },
  {
    name: 'a replay shows the order of today',
    noticedBy: 'v2.idempotency',
    operation,
    async response(response, _, callService) {
      if (!('idempotent-replayed' in response.headers) || response.status !== 201) return;
      response.body = (
        await callService(`GET /v2/store/orders/${idIn(response.headers.location ?? '')}`)
      ).body;
    },
  },
  {
    name: 'a key may have any length',
    noticedBy: 'v2.idempotency',
    operation,
    request: ({ headers }) => {
      const key = headers['idempotency-key'];
      if (key) headers['idempotency-key'] = key.slice(0, 255);
    },
  },
  {
    name: 'keys are the same in any case, and for any order',
    noticedBy: 'v2.idempotency',
    operation,
    request: ({ headers }) => {
      if (headers['idempotency-key']) headers['idempotency-key'] = 'one-for-all';
    },
  },
];
