/** Sends a request, by default with the store's key, and returns the response. */
export type Caller = (
  request: string,
  options?: { body?: unknown; key?: string | null; headers?: Record<string, string> },
) => Promise<{ status: number; headers: Headers; text: string }>;

export function callerOf(origin: string, key: string): Caller {
  const caller: Caller = async (request, { body, key: other = key, headers = {} } = {}) => {
    const [method = '', path = ''] = request.split(' ');
    const response = await fetch(origin + path, {
      method,
      headers: {
        ...(other === null ? {} : { authorization: `Bearer ${other}` }),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const isStream = response.headers.get('content-type') === 'text/event-stream';
    const text = isStream ? await firstEvent(response, caller) : await response.text();
    return { status: response.status, headers: response.headers, text };
  };
  return caller;
}

/** Reads a stream up to its first event. A new stream is empty until something changes. */
async function firstEvent(response: Response, call: Caller): Promise<string> {
  await call('POST /v2/store/orders', { body: { petId: 3, quantity: 1 } });
  let text = '';
  for await (const bytes of response.body ?? []) {
    text += Buffer.from(bytes).toString();
    if (/^data:.*\n\n/m.test(text)) break;
  }
  return text;
}

const idsIn = (text: string) => [...text.matchAll(/"id":(\d+)/g)].map(([, id]) => id as string);

/** Typical use of a store, mistakes included: every operation, and every documented error. */
export async function typicalUse(call: Caller): Promise<void> {
  const reset = (dataSet: string) => call('POST /v2/sandbox/reset', { body: { dataSet } });
  await reset('default');
  await version1(call);
  await placing(call);
  await states(call);
  await pages(call);
  await petsAndEvents(call);
  await call('GET /v2/store/events/stream', { headers: { 'last-event-id': '1' } });
  await reset('int64');
  await call('GET /v1/store/orders');
}

async function version1(call: Caller): Promise<void> {
  const { headers } = await call('GET /v1/store/orders');
  for (const path of ['/v1/store/orders', '/v1/pets', '/v1/pets/1']) {
    await call(`GET ${path}`, { key: null });
    await call(`GET ${path}`, { key: 'pst_test_wrong' });
  }
  await call('GET /v1/pets');
  for (const id of ['1', '2', '99', 'rex']) await call(`GET /v1/pets/${id}`);
  // 2 is pending, 3 has shipped, 1 is delivered.
  for (const id of ['2', '2', '3', '1', '99', 'two', '05']) await call(`DELETE /v1/store/orders/${id}`);
  await call('GET /v1/store/orders');
  await call('GET /v1/store/orders?limit=10');
  await call('GET /v1/store/orders', { headers: { 'if-none-match': headers.get('etag') ?? '' } });
}

async function placing(call: Caller): Promise<void> {
  const place = (body: unknown, headers?: Record<string, string>) =>
    call('POST /v2/store/orders', { body, ...(headers ? { headers } : {}) });
  const key = { 'idempotency-key': 'once' };
  await place({ petId: 1, quantity: 1 });
  await place({ petId: 1, quantity: 1, shipDate: '2031-01-02T03:04:05Z' });
  await place({ petId: 1, quantity: 2 }, key);
  await place({ petId: 1, quantity: 2 }, key);
  await place({ petId: 1, quantity: 3 }, key);
  await place({ petId: 99, quantity: 1 });
  await place({ petId: 1, quantity: 1000 });
  await place({ petId: 1, quantity: 0 });
  await place({ petId: 1, quantity: 1001 });
  await place({ petId: 1, quantity: '3' });
  await place({ petId: 1, quantity: 1, colour: 'brown' });
  await place({ quantity: 1 });
  await call('POST /v2/store/orders', { body: { petId: 1, quantity: 1 }, key: null });
}

async function states(call: Caller): Promise<void> {
  const [one = '', two = '', three = ''] = idsIn((await call('GET /v2/store/orders?status=pending')).text);
  const order = (id: string) => `/v2/store/orders/${id}`;
  await call(`POST ${order(one)}/deliver`);
  for (const step of ['ship', 'ship', 'deliver', 'deliver', 'ship']) await call(`POST ${order(one)}/${step}`);
  await call(`DELETE ${order(one)}`);
  await call(`POST ${order(two)}/ship`);
  for (const id of [two, three, three, '99', 'two']) await call(`DELETE ${order(id)}`);
  for (const step of ['ship', 'deliver']) await call(`POST ${order(three)}/${step}`);
  for (const id of [one, two, three, '99', 'two']) {
    await call(`GET ${order(id)}`);
    await call(`GET ${order(id)}/history`);
    if (id === '99') for (const step of ['ship', 'deliver']) await call(`POST ${order(id)}/${step}`);
  }
  await call('GET /v2/store/summary');
}

async function pages(call: Caller): Promise<void> {
  const list = async (query: string) => {
    let cursor = '';
    for (let page = 0; page < 6; page += 1) {
      const { text } = await call(`GET /v2/store/orders?${query}${cursor && `&cursor=${cursor}`}`);
      cursor = /"nextCursor":"([^"]+)"/.exec(text)?.[1] ?? '';
      if (cursor === '') return;
      if (page === 0) await call(`GET /v2/store/orders?status=shipped&cursor=${cursor}`);
    }
  };
  await call('GET /v2/store/orders');
  const { text } = await call('GET /v2/store/orders?limit=1&status=pending');
  const date = /"shipDate":"([^"]+)"/.exec(text)?.[1] ?? '';
  const queries = 'limit=10&sort=id limit=10&sort=-id sort=shipDate&limit=20 sort=-shipDate status=pending';
  const more = 'status=pending,shipped status=pending&status=cancelled petId=1 complete=true limit=1000';
  const dates = `shipDateFrom=${date} shipDateTo=${date}`;
  const wrong = 'limit=0 limit=1001 colour=brown status=lost sort=name petId=x shipDateFrom=soon cursor=abc';
  for (const query of `${queries} ${more} ${dates} ${wrong}`.split(' ')) await list(query);
}

async function petsAndEvents(call: Caller): Promise<void> {
  for (const query of ['', '?category=cat', '?status=sold', '?status=available', '?limit=5', '?colour=brown'])
    await call(`GET /v2/pets${query}`);
  for (const id of ['1', '99', 'rex']) await call(`GET /v2/pets/${id}`);
  await call('POST /v2/pets', { body: { name: 'Ada', category: 'cat', stock: 2 } });
  await call('POST /v2/pets', { body: { name: 'Ada' } });
  await call('PATCH /v2/pets/2', { body: { stock: 0 } });
  await call('GET /v2/pets/2');
  await call('GET /v1/pets');
  await call('PATCH /v2/pets/2', { body: { stock: 4, name: 'Bo' } });
  await call('PATCH /v2/pets/2', { body: { stock: -1 } });
  await call('PATCH /v2/pets/99', { body: { stock: 1 } });
  const { text } = await call('GET /v2/store/events?after=0&limit=5');
  await call('GET /v2/store/events?after=0&limit=1000');
  await call(`GET /v2/store/events?after=${/"id":"(\d+)"/.exec(text)?.[1]}`);
}
