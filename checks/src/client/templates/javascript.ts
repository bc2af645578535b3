export const javascript = String.raw`// A starter client for Pet Store that uses only the built-in modules of Node 20 or newer.
//     petstore check-client -- node client.mjs
import { createHmac, randomUUID, timingSafeEqual } from 'node:crypto';
import { createServer } from 'node:http';

const { PETSTORE_URL: v1, PETSTORE_V2_URL: v2, PETSTORE_KEY: key, ...env } = process.env;
const TRIES = 3;
const TIMEOUT_MS = 15_000;

const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

const open = (url, { headers, ...init } = {}) =>
  fetch(url, {
    ...init,
    headers: { authorization: 'Bearer ' + key, 'content-type': 'application/json', ...headers },
  });

/** Returns status, headers and JSON. Retries requests that are safe to repeat. */
async function call(url, init = {}) {
  const isRepeatable = init.method !== 'POST' || 'idempotency-key' in (init.headers ?? {});
  let mayHaveSucceeded = false;
  for (let left = TRIES - 1; ; left--) {
    let response, text;
    try {
      response = await open(url, { ...init, signal: AbortSignal.timeout(TIMEOUT_MS) });
      text = await response.text();
    } catch (error) {
      mayHaveSucceeded = true;
      if (isRepeatable && left > 0) continue;
      throw error;
    }
    const { status, headers } = response;
    if ((status === 429 || status === 503) && left > 0) {
      await sleep(milliseconds(headers.get('retry-after') ?? '1'));
      continue;
    }
    // The attempt whose response was lost has cancelled the order.
    if (status === 404 && init.method === 'DELETE' && mayHaveSucceeded) return { status, headers };
    // Everything else is final: a retry would be rejected again.
    if (!response.ok && status !== 304) throw new Error(status + ' ' + text);
    if (headers.has('deprecation'))
      console.error(url + ' is deprecated; sunset: ' + headers.get('sunset'));
    return { status, headers, body: text === '' ? undefined : parse(text) };
  }
}

/** JSON.parse rounds integers beyond 2^53: longer ones become strings. */
const parse = (text) =>
  JSON.parse(text.replace(/"(?:[^"\\]|\\.)*"|-?\d{16,}/g, (token) => (token[0] === '"' ? token : '"' + token + '"')));

/** Retry-After is a number of seconds, or a date. */
const milliseconds = (text) =>
  /^\d+$/.test(text) ? Number(text) * 1000 : Math.max(0, Date.parse(text) - Date.now());

const show = (rows) => rows.forEach(({ id }) => console.log(String(id)));

async function listOrdersTwice() {
  const { headers, body } = await call(v1 + '/store/orders');
  const again = await call(v1 + '/store/orders', { headers: { 'if-none-match': headers.get('etag') } });
  show(again.status === 304 ? body : again.body);
}

async function listPages() {
  let cursor = '';
  do {
    const { body } = await call(v2 + '/store/orders?limit=1000' + (cursor && '&cursor=' + cursor));
    show(body.data);
    cursor = body.nextCursor;
  } while (cursor);
}

async function watchEvents() {
  let last = env.PETSTORE_AFTER;
  let left = Number(env.PETSTORE_COUNT);
  while (left > 0) {
    try {
      const response = await open(v2 + '/store/events/stream', { headers: { 'last-event-id': last } });
      if (!response.ok) process.exit(1);
      let text = '';
      for await (const bytes of response.body.pipeThrough(new TextDecoderStream())) {
        const lines = (text + bytes).split('\n');
        text = lines.pop();
        for (const line of lines.filter((one) => one.startsWith('data: '))) {
          last = parse(line.slice(6)).id;
          console.log(last);
          left--;
        }
        if (left === 0) return;
      }
    } catch {
      // The connection was lost.
    }
    await sleep(500);
  }
}

/** Follows Standard Webhooks: a signature over id, timestamp and raw body, and a recent timestamp. */
function isSigned(headers, body) {
  const sent = headers['webhook-timestamp'] ?? '';
  if (!/^\d+$/.test(sent) || Math.abs(Date.now() / 1000 - Number(sent)) > 300) return false;
  const secret = Buffer.from(env.PETSTORE_WEBHOOK_SECRET.replace('whsec_', ''), 'base64');
  const signed = headers['webhook-id'] + '.' + sent + '.' + body;
  const expected = Buffer.from('v1,' + createHmac('sha256', secret).update(signed).digest('base64'));
  return (headers['webhook-signature'] ?? '')
    .split(' ')
    .map((one) => Buffer.from(one))
    .some((one) => one.length === expected.length && timingSafeEqual(one, expected));
}

function receiveWebhooks() {
  const seen = new Set();
  const { hostname, port } = new URL(env.PETSTORE_WEBHOOK_URL);
  const server = createServer(async (request, response) => {
    let body = '';
    for await (const text of request.setEncoding('utf8')) body += text;
    const { 'webhook-id': id } = request.headers;
    const isGood = isSigned(request.headers, body);
    if (isGood && !seen.has(id)) {
      seen.add(id);
      console.log(JSON.parse(body).id);
    }
    response.writeHead(isGood ? 204 : 400, { connection: 'close' }).end();
    if (seen.size === Number(env.PETSTORE_COUNT)) server.close();
  });
  server.listen(Number(port), hostname);
}

// The same key on every attempt, so that a lost response does not cause a second order.
const placeOrder = () =>
  call(v2 + '/store/orders', {
    method: 'POST',
    headers: { 'idempotency-key': randomUUID() },
    body: '{"petId":1,"quantity":1}',
  });

const tasks = {
  'list-orders': async () => show((await call(v1 + '/store/orders')).body),
  'list-orders-twice': listOrdersTwice,
  'list-pages': listPages,
  'list-pets-twice': async () => {
    for (let time = 1; time <= 2; time++) show((await call(v1 + '/pets')).body);
  },
  'get-pet': async () => console.log((await call(v2 + '/pets/1')).body.name),
  'get-pet-v1': async () => console.log((await call(v1 + '/pets/1')).body.name),
  'cancel-order': () => call(v1 + '/store/orders/' + env.PETSTORE_ORDER_ID, { method: 'DELETE' }),
  'place-order': placeOrder,
  'place-two-orders': () => placeOrder().then(placeOrder),
  'watch-events': watchEvents,
  'receive-webhooks': receiveWebhooks,
};
if (!(env.PETSTORE_TASK in tasks)) process.exit(64);
await tasks[env.PETSTORE_TASK]();
`;
