import { CannotProve, type Suite } from '../../check.ts';
import { type Context, damaged } from '../../context.ts';
import { hasStatus, headerOf, holds, isError, membersOf, same, sameBody } from '../../expect.ts';
import { missingId } from '../../orders.ts';
import { sectionOf } from './section.ts';

/** A path of the document with something in the place of its parameters. */
const filled = (path: string) =>
  path.replace(/\{webhookId\}/, 'wh_nobody').replace(/\{\w+\}/g, String(missingId));

export function accessChecks(suite: Suite, context: Context): void {
  keyChecks(suite, context);
  readKeyChecks(suite, context);
  rateLimitChecks(suite, context);
}

function keyChecks(suite: Suite, { v2, client }: Context): void {
  const { check } = sectionOf(suite, v2, 'keys', 'keys, documents and origins');
  const calls = async () =>
    [...(await v2.document.operations()).keys()].map((operation) => {
      const [method = '', path = ''] = operation.split(' ');
      return { method: method.toUpperCase(), prefix: client.v2, path: filled(path) };
    });

  check('required', '401 first for every operation: no key, or an invalid one', async () => {
    for (const call of await calls()) {
      isError(await client.send({ ...call, key: null }), 401, 'missing_api_key');
      isError(await client.send({ ...call, key: damaged(client.key) }), 401, 'invalid_api_key');
    }
    isError(await client.send({ prefix: client.v2, path: '/nothing', key: null }), 401, 'missing_api_key');
  });
  check('unknown-path', '404 `not_found` for another path, 405 with `Allow` for another method', async () => {
    for (const path of ['/nothing', '/store/orders/', '/pets/1/2', '/store']) {
      isError(await v2.get(path), 404, 'not_found');
    }
    const allowed = {
      '/store/orders': 'get, head, post',
      '/pets/1': 'get, head, patch',
      '/store/summary': 'get, head',
    };
    for (const [path, methods] of Object.entries(allowed)) {
      const answer = await v2.send('PUT', path, '{}');
      isError(answer, 405, 'method_not_allowed');
      same(
        membersOf(answer, 'Allow')
          .filter((name) => name !== 'options')
          .sort()
          .join(', '),
        methods,
        'Allow',
        answer.request,
      );
    }
  });
  check('document', 'the document is OpenAPI, without a key; every operation has its stability', async () => {
    const { openapi } = await v2.document.read();
    holds(/^3\.[12]\.\d+$/.test(String(openapi)), 'OpenAPI 3.1 or newer', openapi);
    for (const [operation, { 'x-stability': stability }] of await v2.document.operations()) {
      const isBeta = /^\w+ \/(store\/orders|pets|store\/summary)/.test(operation);
      same(stability, isBeta ? 'beta' : 'experimental', `the stability of ${operation}`);
    }
  });
  check('operations', 'the document lists the operations on orders, pets and the summary', async () => {
    const documented = await v2.document.operations();
    const order = '/store/orders/{orderId}';
    const operations = [
      'get /store/orders',
      'post /store/orders',
      `get ${order}`,
      `delete ${order}`,
      `post ${order}/ship`,
    ];
    operations.push(`post ${order}/deliver`, `get ${order}/history`, 'get /store/summary');
    operations.push('get /pets', 'post /pets', 'get /pets/{petId}', 'patch /pets/{petId}');
    for (const operation of operations) holds(documented.has(operation), operation, 'a document without it');
  });
  check('origins', 'any origin may read, and may send `Idempotency-Key` and `Content-Type`', async () => {
    const preflight = await client.send({
      method: 'OPTIONS',
      prefix: client.v2,
      path: '/store/orders',
      key: null,
      headers: {
        Origin: 'https://shop.example',
        'Access-Control-Request-Method': 'POST',
        'Access-Control-Request-Headers': 'authorization,content-type,idempotency-key',
      },
    });
    hasStatus(preflight, 200, 204);
    const allowed = membersOf(preflight, 'Access-Control-Allow-Headers');
    for (const name of [
      'authorization',
      'content-type',
      'idempotency-key',
      'if-none-match',
      'last-event-id',
    ]) {
      holds(allowed.includes(name), `Access-Control-Allow-Headers with ${name}`, allowed);
    }
    for (const name of ['post', 'patch', 'delete']) {
      holds(membersOf(preflight, 'Access-Control-Allow-Methods').includes(name), name, preflight.headers);
    }
    const answer = await v2.get('/store/orders?limit=1', { Origin: 'https://shop.example' });
    same(headerOf(answer, 'Access-Control-Allow-Origin'), '*', 'Access-Control-Allow-Origin');
    const exposed = membersOf(answer, 'Access-Control-Expose-Headers');
    for (const name of ['location', 'link', 'etag', 'idempotent-replayed', 'retry-after', 'ratelimit']) {
      holds(exposed.includes(name), `Access-Control-Expose-Headers with ${name}`, exposed);
    }
  });
}

/** With a key that may only read, of whichever store. */
function readKeyChecks(suite: Suite, { v2, client, readKey: key }: Context): void {
  const { check, unproven } = sectionOf(suite, v2, 'read-key', 'keys that only read');
  const sentences = {
    reads: 'a key of scope `read` reads everything, in both versions',
    changes: 'every operation that changes something is 403 `forbidden`, before 404, and changes nothing',
    order: '401 comes before 403',
  };
  if (key === undefined) {
    for (const [id, sentence] of Object.entries(sentences)) unproven(id, sentence, 'needs --read-key');
    return;
  }
  const list = () => client.send({ path: '/store/orders', key });

  check('reads', sentences.reads, async () => {
    for (const path of ['/store/orders', '/pets', '/pets/1'])
      hasStatus(await client.send({ path, key }), 200);
    for (const path of ['/store/orders', '/pets', '/store/summary', '/store/events', '/webhooks']) {
      hasStatus(await client.send({ prefix: client.v2, path, key }), 200);
    }
  });
  check('changes', sentences.changes, async () => {
    const before = await list();
    const { id } = (JSON.parse(before.text) as { id: number }[])[0] ?? {};
    const headers = { 'Content-Type': 'application/json' };
    const forbids = async (method: string, prefix: string, path: string, body?: string) =>
      isError(
        await client.send({ method, prefix, path, key, headers, ...(body && { body }) }),
        403,
        'forbidden',
      );
    for (const order of [id, missingId, 'abc']) {
      await forbids('DELETE', client.base.pathname, `/store/orders/${order}`);
      await forbids('DELETE', client.v2, `/store/orders/${order}`);
      await forbids('POST', client.v2, `/store/orders/${order}/ship`);
    }
    await forbids('POST', client.v2, '/store/orders', '{"petId":1,"quantity":1}');
    await forbids('POST', client.v2, '/store/orders', '{');
    await forbids('POST', client.v2, '/pets', '{"name":"A","category":"a","stock":1}');
    await forbids('PATCH', client.v2, '/pets/1', '{"stock":0}');
    await forbids('POST', client.v2, '/webhooks', '{"url":"https://example.com/hook"}');
    sameBody(await list(), before);
  });
  check('order', sentences.order, async () => {
    const call = { method: 'DELETE', path: `/store/orders/${missingId}`, key: damaged(key) };
    isError(await client.send(call), 401, 'invalid_api_key');
  });
}

function rateLimitChecks(suite: Suite, { v2, client }: Context): void {
  const { check, unproven } = sectionOf(suite, v2, 'limits', 'rate limits');

  check(
    'headers',
    '`RateLimit` and `RateLimit-Policy` on every answer where a limit is on, counting down',
    async () => {
      const answers = [];
      for (const path of ['/store/orders?limit=1', '/pets/987654321', '/store/orders?limit=0', '/nothing']) {
        answers.push(await v2.get(path), await client.send({ path: '/pets' }));
      }
      const isOn = answers.some(({ headers }) => 'ratelimit' in headers || 'ratelimit-policy' in headers);
      if (!isOn) throw new CannotProve('no limit is on');
      const left = answers.map((answer) => {
        const policy = headerOf(answer, 'RateLimit-Policy');
        holds(/^"[^"]+";q=\d+;w=\d+$/.test(policy), 'RateLimit-Policy: "…";q=…;w=…', policy, answer.request);
        const limit = headerOf(answer, 'RateLimit');
        const [, rest] = /^"[^"]+";r=(\d+);t=\d+$/.exec(limit) ?? [];
        holds(rest !== undefined, 'RateLimit: "…";r=…;t=…', limit, answer.request);
        return Number(rest);
      });
      const [first = 0, second = 0] = left;
      holds(second !== first, `not ${first} again`, second);
    },
  );
  unproven(
    '429',
    'beyond the limit 429 `rate_limited`, with `Retry-After`',
    'it would leave the store limited',
  );
}
