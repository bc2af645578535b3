import type { Suite } from '../../check.ts';
import type { Context } from '../../context.ts';
import { ensure, expectError, expectSameBody, expectStatus } from '../../expect.ts';
import { alteredKey } from '../../invalid-keys.ts';
import { missingId } from '../../orders.ts';
import { operationsOf } from '../table/operations.ts';
import { sectionOf } from './section.ts';

const unknownPaths = ['', '/nothing', '/store', '/store/orders/1/items', '/pets/'];

/** Calls with `--read-key`, the read-only key of any store. */
export function readKeyChecks(suite: Suite, context: Context): void {
  const { v2, client, readKey: key } = context;
  const { check, inconclusive } = sectionOf(suite, v2, 'read-key', 'read-only keys');
  const sentences = {
    reads: 'a read-only key can read everything, in both versions, by GET, HEAD and QUERY',
    changes: 'every operation that changes something is 403 `forbidden`, before 404, and changes nothing',
    anywhere:
      'every method that could change something is 403 on any path: before 404 of an unknown path, and before 405',
    order: '401 comes before 403',
  };
  if (key === undefined) {
    for (const [id, sentence] of Object.entries(sentences)) inconclusive(id, sentence, 'needs --read-key');
    return;
  }
  const list = () => client.send({ path: '/store/orders', key });

  check('reads', sentences.reads, async () => {
    for (const path of ['/store/orders', '/pets', '/pets/{petId}'])
      for (const method of ['GET', 'HEAD']) expectStatus(await client.send({ method, path, key }), 200);
    for (const { method, prefix, path, id } of await operationsOf(context)) {
      if (!['GET', 'QUERY'].includes(method) || /\{|sandbox/.test(path)) continue;
      const body = method === 'QUERY' && { body: '{}', headers: { 'Content-Type': 'application/json' } };
      const { status, request } = await client.send({ method, prefix, path, key, ...body });
      ensure(status === 200, `status 200 for ${id}`, status, request);
      if (method === 'GET') expectStatus(await client.send({ method: 'HEAD', prefix, path, key }), 200);
    }
  });
  check('changes', sentences.changes, async () => {
    const before = await list();
    const { id } = (JSON.parse(before.text) as { id: number }[])[0] ?? {};
    const headers = { 'Content-Type': 'application/json' };
    const expectForbidden = async (method: string, prefix: string, path: string, body?: string) =>
      expectError(
        await client.send({ method, prefix, path, key, headers, ...(body && { body }) }),
        403,
        'forbidden',
      );
    for (const { method, prefix, path } of await operationsOf(context)) {
      if (['GET', 'QUERY'].includes(method) || path.startsWith('/sandbox')) continue;
      await expectForbidden(method, prefix, path.replace(/\{\w+\}/g, String(missingId)), '{}');
    }
    for (const order of [id, missingId, 'abc']) {
      await expectForbidden('DELETE', client.base.pathname, `/store/orders/${order}`);
      await expectForbidden('DELETE', client.v2, `/store/orders/${order}`);
      await expectForbidden('POST', client.v2, `/store/orders/${order}/ship`);
    }
    await expectForbidden('POST', client.v2, '/store/orders', '{"petId":1,"quantity":1}');
    await expectForbidden('POST', client.v2, '/store/orders', '{');
    await expectForbidden('POST', client.v2, '/pets', '{"name":"A","category":"a","stock":1}');
    await expectForbidden('PATCH', client.v2, '/pets/{petId}', '{"stock":0}');
    await expectForbidden('POST', client.v2, '/webhooks', '{"url":"https://receiver.invalid/hook"}');
    expectSameBody(await list(), before);
  });
  check('anywhere', sentences.anywhere, async () => {
    const operations = await operationsOf(context);
    const prefixes = new Set(operations.map(({ prefix }) => prefix));
    const unknown = [...prefixes].flatMap((prefix) => unknownPaths.map((path) => ({ prefix, path })));
    const known = operations.map(({ prefix, path }) => ({
      prefix,
      path: path.replace(/\{\w+\}/g, String(missingId)),
    }));
    const calls = new Map([...known, ...unknown].map((call) => [call.prefix + call.path, call]));
    for (const call of calls.values())
      for (const method of ['POST', 'PUT', 'PATCH', 'DELETE', 'PROPFIND'])
        expectError(await client.send({ ...call, method, key }), 403, 'forbidden');
    for (const call of unknown) expectError(await client.send({ ...call, key }), 404, 'not_found');
  });
  check('order', sentences.order, async () => {
    const call = { method: 'DELETE', path: `/store/orders/${missingId}`, key: alteredKey(key) };
    expectError(await client.send(call), 401, 'invalid_api_key');
  });
}
