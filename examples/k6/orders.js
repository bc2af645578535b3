// Run on staging: k6 run orders.js. Virtual users share a store; each places and cancels its own orders.
import { check } from 'k6';
import http from 'k6/http';

const v1 = __ENV.PETSTORE_URL.replace(/\/$/, '');
const v2 = `${v1.replace(/\/v1$/, '')}/v2`;
const params = {
  headers: { Authorization: `Bearer ${__ENV.PETSTORE_KEY}`, 'Content-Type': 'application/json' },
};

export const options = {
  vus: 4,
  iterations: 40,
  thresholds: { checks: ['rate==1'] },
};

export default function () {
  check(http.get(`${v1}/pets`, params), { 'the connection works': ({ status }) => status === 200 });

  const placed = http.post(`${v2}/store/orders`, JSON.stringify({ petId: 1, quantity: 1 }), params);
  check(placed, { 'an order is placed': ({ status }) => status === 201 });

  // As text: a JavaScript number cannot represent every ID.
  const [, id] = /"id":(\d+)/.exec(placed.body);
  const url = `${v1}/store/orders/${id}`;
  check(http.del(url, null, params), { 'it is cancelled': ({ status }) => status === 204 });
  check(http.del(url, null, params), { 'and gone': ({ status }) => status === 404 });
}

export function teardown() {
  const orders = http.get(`${v1}/store/orders`, params);
  check(orders, { 'no order is left over': ({ body }) => body.match(/"id":/g).length === 40 });
}
