import { randomUUID } from 'node:crypto';
import { once, type Suite } from '../../check.ts';
import type { Context } from '../../context.ts';
import { equal, expectError, expectNoHeader, expectSameBody, expectStatus } from '../../expect.ts';
import type { Call, Response } from '../../http.ts';
import { alteredKey } from '../../invalid-keys.ts';
import { objectOf, pageOf } from '../../v2.ts';
import { operationsOf, type Samples, samplePath } from './operations.ts';

const json = { 'Content-Type': 'application/json' };
const MISSING_ID = '987654321';
/** Headers that only a success may have. */
const successHeaders = [
  'ETag',
  'Location',
  'Preference-Applied',
  'Content-Encoding',
  'Accept-Ranges',
  'Last-Modified',
];

/** A request, and how it must be rejected. */
interface Rejected {
  readonly call: Call;
  readonly status: number;
  readonly code: string;
}

/** Every way to be rejected. None may change anything. */
export function everyRejectionChecks(suite: Suite, context: Context, samples: () => Promise<Samples>): void {
  const { check } = suite.section('all.rejections', 'Every rejection, and what it leaves unchanged');
  const { client, v2, readKey } = context;
  const v1 = client.base.pathname.replace(/\/+$/, '');

  /** A pet with an order in each state, and a webhook. */
  const ids = once(async () => {
    const { webhookId } = await samples();
    const petId = await v2.newPet(9);
    const placed = async () => (await v2.place(petId)).id;
    const applyVerbs = async (id: bigint, ...verbs: string[]) => {
      for (const name of verbs) expectStatus(await v2.send('POST', `/store/orders/${id}/${name}`), 200);
      return id;
    };
    const cancelled = await placed();
    expectStatus(await v2.send('DELETE', `/store/orders/${cancelled}`), 204);
    const cancelledInV1 = await placed();
    expectStatus(await client.send({ method: 'DELETE', path: `/store/orders/${cancelledInV1}` }), 204);
    const [pending, shipped, delivered] = [await placed(), await placed(), await placed()];
    await applyVerbs(shipped, 'ship');
    await applyVerbs(delivered, 'ship', 'deliver');
    return { petId, webhookId, orders: { pending, shipped, delivered, cancelled, cancelledInV1 } };
  });

  /** All reads that could show a side effect. */
  const snapshot = async (): Promise<Response[]> => {
    const { petId, webhookId, orders } = await ids();
    const own = Object.values(orders).flatMap((id) => [`/store/orders/${id}`, `/store/orders/${id}/history`]);
    const hooks = webhookId === undefined ? [] : [`/webhooks/${webhookId}`];
    const paths = [
      '/store/summary',
      `/store/orders?petId=${petId}`,
      `/pets/${petId}`,
      ...own,
      '/webhooks',
      ...hooks,
    ];
    const responses = [];
    for (const path of ['/store/orders', '/pets']) responses.push(await client.send({ path }));
    for (const path of paths) responses.push(await v2.get(path));
    return responses;
  };
  const expectNoEffect = async (rejected: readonly Rejected[]) => {
    const before = await snapshot();
    const { revision } = objectOf(before[2] as Response);
    for (const { call, status, code } of rejected) {
      const response = await client.send(call);
      expectError(response, status, code);
      for (const name of successHeaders) expectNoHeader(response, name);
      const summary = objectOf(await v2.get('/store/summary'));
      equal(summary.revision, revision, 'the revision', response.request);
    }
    const after = await snapshot();
    for (const [index, response] of before.entries()) {
      const later = after[index] as Response;
      expectSameBody(later, response);
      equal(later.headers.etag, response.headers.etag, 'ETag', later.request);
    }
    equal(pageOf(await v2.get(`/store/events?after=${revision}`)).data, [], 'the events');
  };

  const v2Call = (
    method: string,
    path: string,
    body?: unknown,
    headers: Record<string, string> = {},
  ): Call => ({
    method,
    prefix: client.v2,
    path,
    ...(body === undefined
      ? { headers }
      : {
          body: typeof body === 'string' ? body : JSON.stringify(body),
          headers: { ...json, ...headers },
        }),
  });
  const rejections = (name: string, sentence: string, list: () => Promise<Rejected[]>) =>
    check(name, `${sentence}: nothing changes, no event is created`, async () => {
      await v2.require();
      await expectNoEffect(await list());
    });
  const rejectedWith = (status: number, code: string, ...calls: Call[]): Rejected[] =>
    calls.map((call) => ({ call, status, code }));

  rejections('states', 'an order that is not in the right state is 409, in both versions', async () => {
    const { orders } = await ids();
    const { pending, shipped, delivered, cancelled, cancelledInV1 } = orders;
    const order = (method: string, id: bigint, verb = '') => v2Call(method, `/store/orders/${id}${verb}`);
    const inV1 = (id: bigint): Call => ({ method: 'DELETE', path: `/store/orders/${id}` });
    const ships = [shipped, delivered, cancelled, cancelledInV1].map((id) => order('POST', id, '/ship'));
    const delivers = [pending, delivered, cancelled, cancelledInV1].map((id) =>
      order('POST', id, '/deliver'),
    );
    const cancels = [shipped, delivered].flatMap((id) => [order('DELETE', id), inV1(id)]);
    /** The same call with a body, a parameter, headers or an escaped ID that must not matter. */
    const unusual = (call: Call): Call[] => [
      call,
      { ...call, body: '{"force":true,"status":"pending"}', headers: json },
      { ...call, body: '{', headers: { 'Content-Type': 'text/xml' } },
      { ...call, path: `${call.path}?force=true&status=pending&id=${pending}` },
      { ...call, headers: { 'If-Match': '*', 'X-HTTP-Method-Override': 'GET', 'Idempotency-Key': 'a' } },
      { ...call, path: call.path.replace(/\d+/, (id) => [...id].map((digit) => `%3${digit}`).join('')) },
    ];
    return [
      ...rejectedWith(409, 'invalid_transition', ...ships.flatMap(unusual)),
      ...rejectedWith(409, 'invalid_transition', ...delivers.flatMap(unusual)),
      ...rejectedWith(409, 'order_already_shipped', ...cancels.flatMap(unusual)),
      ...rejectedWith(
        409,
        'order_already_cancelled',
        ...[cancelled, cancelledInV1].map((id) => order('DELETE', id)),
      ),
      ...rejectedWith(404, 'not_found', inV1(cancelled), inV1(cancelledInV1)),
    ];
  });
  rejections('missing', 'a missing resource is 404, for every operation that changes something', async () => {
    const found: Rejected[] = [];
    for (const { method, prefix, path } of await operationsOf(context)) {
      if (['GET', 'QUERY'].includes(method) || !path.includes('{')) continue;
      const missing = path
        .replace(/\{(webhook|delivery)Id\}/g, (_, name) => (name === 'webhook' ? 'wh_nobody' : MISSING_ID))
        .replace(/\{\w+\}/g, MISSING_ID);
      const body = method === 'PATCH' && {
        body: path.includes('pets') ? '{"name":"A"}' : '{"active":false}',
      };
      const headers = body ? json : {};
      found.push(...rejectedWith(404, 'not_found', { method, prefix, path: missing, headers, ...body }));
    }
    return found;
  });
  rejections('placing', 'an order that cannot be placed is 400, 409, 413, 415 or 422', async () => {
    const { petId } = await ids();
    const place = (body: unknown, headers = {}) => v2Call('POST', '/store/orders', body, headers);
    const order = `{"petId":${petId},"quantity":1}`;
    const key = () => ({ 'Idempotency-Key': randomUUID() });
    return [
      ...rejectedWith(409, 'insufficient_stock', place(`{"petId":${petId},"quantity":900}`)),
      ...rejectedWith(409, 'insufficient_stock', place(`{"petId":${petId},"quantity":900}`, key())),
      ...rejectedWith(
        422,
        'unknown_pet',
        place({ petId: 987654321, quantity: 1 }),
        place('{"petId":0,"quantity":1}'),
      ),
      ...rejectedWith(400, 'invalid_body', place(`{"petId":${petId}}`), place(order.slice(0, -1)), place('')),
      ...rejectedWith(400, 'invalid_body', place(`{"petId":${petId},"quantity":1,"quantity":"2"}`, key())),
      ...rejectedWith(400, 'invalid_parameter', place(order, { 'Idempotency-Key': ' ' })),
      ...rejectedWith(415, 'unsupported_media_type', place(order, { 'Content-Type': 'text/json' })),
      ...rejectedWith(413, 'payload_too_large', place(order.padEnd(66_000))),
    ];
  });
  rejections('pets', 'a pet that cannot be created or changed is 400, 413 or 415', async () => {
    const { petId } = await ids();
    const create = (body: unknown, headers = {}) => v2Call('POST', '/pets', body, headers);
    const change = (body: unknown, headers = {}) => v2Call('PATCH', `/pets/${petId}`, body, headers);
    const pet = { name: 'A', category: 'acceptance' };
    return [
      ...rejectedWith(400, 'invalid_body', create({ ...pet, stock: -1 }), create({ name: 'A' }), create('{')),
      ...rejectedWith(400, 'invalid_parameter', create(pet, { 'Idempotency-Key': randomUUID() })),
      ...rejectedWith(
        400,
        'invalid_body',
        change({ name: 'B', stock: -1 }),
        change({ name: '' }),
        change({}),
        change('['),
      ),
      ...rejectedWith(
        400,
        'invalid_body',
        change({ stock: 4, id: 7 }),
        change({ name: 'B', status: 'sold' }),
      ),
      ...rejectedWith(415, 'unsupported_media_type', create(pet, { 'Content-Type': 'text/plain' })),
      ...rejectedWith(
        415,
        'unsupported_media_type',
        change({ stock: 4 }, { 'Content-Type': 'application/json-patch+json' }),
      ),
      ...rejectedWith(413, 'payload_too_large', change(JSON.stringify({ name: 'B' }).padEnd(66_000))),
    ];
  });
  rejections('webhooks', 'a webhook that cannot be created or changed is 400, 415 or 422', async () => {
    const { webhookId } = await ids();
    const create = (body: unknown, headers = {}) => v2Call('POST', '/webhooks', body, headers);
    const change = (body: unknown, headers = {}) => v2Call('PATCH', `/webhooks/${webhookId}`, body, headers);
    const url = 'https://receiver.invalid/hook';
    const wrong = ['ftp://example.com/', 'example.com', '/hook', 'https://a:b@example.com/'];
    const found = [
      ...rejectedWith(422, 'invalid_webhook_url', ...wrong.map((one) => create({ url: one }))),
      ...rejectedWith(
        400,
        'invalid_body',
        create({ url, types: ['order.lost'] }),
        create({ url, types: [] }),
        create('{'),
      ),
      ...rejectedWith(
        400,
        'invalid_body',
        create({ url, active: false }),
        create({ types: ['order.placed'] }),
      ),
      ...rejectedWith(415, 'unsupported_media_type', create({ url }, { 'Content-Type': 'text/plain' })),
    ];
    if (webhookId === undefined) return found;
    return [
      ...found,
      ...rejectedWith(422, 'invalid_webhook_url', ...wrong.map((one) => change({ url: one, active: false }))),
      ...rejectedWith(
        400,
        'invalid_body',
        change({ active: false, types: ['order.lost'] }),
        change({ active: 'no' }),
      ),
      ...rejectedWith(
        400,
        'invalid_body',
        change({}),
        change({ active: false, secret: 'a' }),
        change({ types: [] }),
      ),
      ...rejectedWith(
        415,
        'unsupported_media_type',
        change({ active: false }, { 'Content-Type': 'text/plain' }),
      ),
    ];
  });
  rejections('keys', 'without a key, or with a read-only one, every change is 401 or 403', async () => {
    const { orders } = await ids();
    const sampleIds = { ...(await samples()), orderId: String(orders.pending), deliveryId: '1' };
    const found: Rejected[] = [];
    for (const operation of await operationsOf(context)) {
      const { method, prefix } = operation;
      const path = samplePath(operation, sampleIds);
      if (['GET', 'QUERY'].includes(method) || path === undefined) continue;
      const body =
        /PATCH|PUT/.test(method) || /\/(orders|pets|webhooks)$/.test(path)
          ? { body: '{"active":false}' }
          : {};
      const call = { method, prefix, path, headers: json, ...body };
      found.push(...rejectedWith(401, 'missing_api_key', { ...call, key: null }));
      found.push(...rejectedWith(401, 'invalid_api_key', { ...call, key: alteredKey(client.key) }));
      if (readKey && !path.startsWith('/sandbox'))
        found.push(...rejectedWith(403, 'forbidden', { ...call, key: readKey }));
    }
    return found;
  });
  rejections('methods', 'a method that a path does not have is 405, and changes nothing', async () => {
    const { petId, orders } = await ids();
    const own = [`${v1}/store/orders`, `${v1}/store/orders/${orders.pending}`, `${v1}/pets/${petId}`];
    const paths = [...own, `${client.v2}/store/orders/${orders.pending}`, `${client.v2}/pets/${petId}`];
    const hasMethod = (method: string, path: string) =>
      (method === 'DELETE' && /orders\/\d+$/.test(path)) || (method === 'PATCH' && /v2\/pets\//.test(path));
    const calls = paths.flatMap((path) =>
      ['PUT', 'POST', 'PATCH', 'DELETE']
        .filter((method) => !hasMethod(method, path))
        .map((method) => ({ method, prefix: '', path, headers: json, body: '{"stock":0,"name":"B"}' })),
    );
    return rejectedWith(405, 'method_not_allowed', ...calls);
  });
}
