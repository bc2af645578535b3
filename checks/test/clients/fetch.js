// A client as one writes it with fetch: careful with retries, and trusting JSON.parse with the rest.
const {
  PETSTORE_URL: v1,
  PETSTORE_V2_URL: v2,
  PETSTORE_KEY: key,
  PETSTORE_TASK: task,
  PETSTORE_ORDER_ID: id,
} = process.env;

async function call(url, init = {}, tries = 3) {
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json', ...init.headers };
  try {
    const response = await fetch(url, { ...init, headers });
    if (response.status === 503 && tries > 1) {
      const seconds = Number(response.headers.get('retry-after') ?? 1);
      await new Promise((resolve) => setTimeout(resolve, seconds * 1000));
      return call(url, init, tries - 1);
    }
    if (!response.ok && response.status !== 304)
      throw Object.assign(new Error(await response.text()), { final: true });
    const text = await response.text();
    const [etag, sunset] = ['etag', 'sunset'].map((name) => response.headers.get(name));
    return { etag, sunset, body: text === '' ? undefined : JSON.parse(text) };
  } catch (error) {
    if (error.final || tries === 1) throw error;
    return call(url, init, tries - 1);
  }
}

const print = (orders) => {
  for (const order of orders) console.log(String(order.id));
};

const placeOrder = () =>
  call(`${v2}/store/orders`, {
    method: 'POST',
    headers: { 'idempotency-key': crypto.randomUUID() },
    body: '{"petId":1,"quantity":1}',
  });

const tasks = {
  'list-orders': async () => print((await call(`${v1}/store/orders`)).body),
  'list-orders-twice': async () => {
    const { etag, body } = await call(`${v1}/store/orders`);
    await call(`${v1}/store/orders`, { headers: { 'if-none-match': etag } });
    print(body);
  },
  'list-pages': async () => {
    let cursor = '';
    do {
      const { body } = await call(`${v2}/store/orders?limit=1000${cursor && `&cursor=${cursor}`}`);
      print(body.data);
      cursor = body.nextCursor;
    } while (cursor);
  },
  'list-pets-twice': async () => {
    for (let i = 0; i < 2; i++) print((await call(`${v1}/pets`)).body);
  },
  'get-pet': async () => console.log((await call(`${v2}/pets/1`)).body.name),
  'get-pet-v1': async () => {
    const { body, sunset } = await call(`${v1}/pets/1`);
    if (sunset) console.error(`Deprecated: GET /v1/pets/{petId} ends on ${sunset}`);
    console.log(body.name);
  },
  'cancel-order': () => call(`${v1}/store/orders/${id}`, { method: 'DELETE' }),
  'place-order': placeOrder,
  'place-two-orders': () => placeOrder().then(placeOrder),
};
if (!(task in tasks)) process.exit(64);
await tasks[task]();
