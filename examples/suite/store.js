import assert from 'node:assert/strict';

const { PETSTORE_URL: v1, PETSTORE_V2_URL: v2, PETSTORE_KEY: key } = process.env;

/** Calls the store: `call('GET v1/pets')`. IDs beyond 2^53 are text, so that none is rounded. */
export async function call(request, { body, headers, as = key } = {}) {
  const [method, path] = request.split(' ');
  const response = await fetch(path.replace('v1/', `${v1}/`).replace('v2/', `${v2}/`), {
    method,
    headers: {
      ...(as && { authorization: `Bearer ${as}` }),
      ...(body && { 'content-type': 'application/json' }),
      ...headers,
    },
    body: body && JSON.stringify(body),
  });
  const text = await response.text();
  const exact = text.replace(/:(\d{16,})(?=[,}])/g, ':"$1"');
  return { status: response.status, headers: response.headers, body: text && JSON.parse(exact) };
}

/** Opens a stream and reads the given number of events. */
export async function readStream(count, lastEventId) {
  const headers = { authorization: `Bearer ${key}`, 'last-event-id': lastEventId };
  // A silent stream must not hang the suite.
  const signal = AbortSignal.timeout(10_000);
  const { body } = await fetch(`${v2}/store/events/stream`, { headers, signal });
  let text = '';
  for await (const part of body.pipeThrough(new TextDecoderStream())) {
    text += part;
    const events = text.split('\n\n').filter((event) => /^data:/m.test(event));
    if (events.length >= count && text.endsWith('\n\n')) return events;
  }
}

/** Places a new pending order. */
export async function place(more) {
  const { status, body } = await call('POST v2/store/orders', { body: { petId: 1, quantity: 1, ...more } });
  assert.equal(status, 201);
  return body;
}

export const listed = async () => (await call('GET v1/store/orders')).body;
export const stockOf = async (id) => (await call(`GET v2/pets/${id}`)).body.stock;

export function isError({ status, body }, expected, code) {
  assert.deepEqual([status, body.status, body.code], [expected, expected, code]);
  assert.ok(body.message);
}
