// Calls the store under test: await call('GET', 'v1/pets').
const { PETSTORE_URL: v1, PETSTORE_V2_URL: v2 } = process.env;
export const {
  PETSTORE_KEY: KEY,
  PETSTORE_OTHER_KEY: OTHER_KEY, // of a second store
  PETSTORE_READ_KEY: READ_KEY, // of the first store, read-only
} = process.env;

export async function call(method, path, { body, key = KEY, headers } = {}) {
  const response = await fetch(path.replace(/^v1/, v1).replace(/^v2/, v2), {
    method,
    headers: {
      ...(key && { Authorization: `Bearer ${key}` }),
      ...(body && { 'Content-Type': 'application/json' }),
      ...headers,
    },
    body: body && JSON.stringify(body),
  });
  const text = await response.text();
  // JSON.parse rounds integers above 2^53: such IDs stay text.
  const exact = text.replace(/:(\d{16,})(?=[,}])/g, ':"$1"');
  return { status: response.status, headers: response.headers, text, body: text && JSON.parse(exact) };
}

export function check(what, condition) {
  if (condition) return;
  console.error(`FAILED: ${what}`);
  process.exit(1);
}

export function isError({ status, body }, expected, code) {
  const seen = [status, body.status, body.code].join(' ');
  check(`${expected} ${code}, not ${seen}`, seen === [expected, expected, code].join(' '));
}

/** Places an order and returns it. */
export async function place(more) {
  const { status, body } = await call('POST', 'v2/store/orders', {
    body: { petId: 1, quantity: 1, ...more },
  });
  check('an order is placed', status === 201);
  return body;
}
