// A suite as one writes it in a hurry: the list has orders in it, and an order is cancelled once.
import assert from 'node:assert/strict';

const { PETSTORE_URL, PETSTORE_V2_URL, PETSTORE_KEY } = process.env;
const headers = { authorization: `Bearer ${PETSTORE_KEY}` };
const orders = `${PETSTORE_URL}/store/orders`;

assert.match(PETSTORE_V2_URL, /\/v2$/);
const response = await fetch(orders, { headers });
const list = await response.json();
assert.ok(Array.isArray(list) && list.length > 0);
assert.equal((await fetch(`${orders}/2`, { method: 'DELETE', headers })).status, 204);
