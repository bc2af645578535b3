import type { Suite } from '../check.ts';
import type { Context } from '../context.ts';
import { expectError, expectSameBody, expectStatus } from '../expect.ts';
import { expectSameOrders, missingId, without } from '../orders.ts';

export function bodyChecks(suite: Suite, { client, orders }: Context): void {
  const { check } = suite.section('v1.bodies', 'Decisions: unexpected bodies and content types');
  const types = [
    'application/json',
    'text/plain',
    'application/xml',
    'multipart/form-data',
    'x/y',
    ';;;',
    '',
  ];
  const texts = ['{"complete":true}', '{', 'null', '<a/>', '\u0000', 'x'.repeat(60_000)];

  check('get', 'a body on GET is ignored, whatever its content type', async () => {
    for (const path of ['/store/orders', '/pets', '/pets/{petId}']) {
      const plain = await client.send({ path });
      expectStatus(plain, 200);
      for (const type of types) {
        for (const body of texts)
          expectSameBody(await client.send({ path, body, headers: { 'Content-Type': type } }), plain);
      }
    }
  });
  check(
    'delete',
    'a body on DELETE is ignored, whatever its content type: 404 and 409 are unaffected',
    async () => {
      const { id } = await orders.delivered();
      for (const type of types) {
        for (const body of texts) {
          const call = { method: 'DELETE', headers: { 'Content-Type': type }, body };
          expectError(await client.send({ ...call, path: `/store/orders/${missingId}` }), 404, 'not_found');
          expectError(
            await client.send({ ...call, path: `/store/orders/${id}` }),
            409,
            'order_already_shipped',
          );
        }
      }
    },
  );
  check(
    'not-the-body-s-order',
    'a body on DELETE is ignored: the order in the path is cancelled, not one named in the body',
    async () => {
      const { orders: before } = await orders.list();
      const { order, responses } = await orders.cancelPending(async ({ id }) => {
        const other = before.find((candidate) => !candidate.complete && candidate.id !== id)?.id;
        const headers = { 'Content-Type': 'application/json' };
        return [
          await client.send({
            method: 'DELETE',
            path: `/store/orders/${id}`,
            headers,
            body: `{"id":${other}}`,
          }),
        ];
      });
      for (const response of responses) expectStatus(response, 204);
      expectSameOrders((await orders.list()).orders, without(before, order));
    },
  );
  check(
    'json-delete',
    'DELETE with `Content-Type: application/json` and no body is accepted, as many clients send it',
    async () => {
      const headers = { 'Content-Type': 'application/json' };
      const { responses } = await orders.cancelPending(async ({ id }) => [
        await client.send({ method: 'DELETE', path: `/store/orders/${id}`, headers }),
      ]);
      for (const response of responses) expectStatus(response, 204);
    },
  );
  check('type-without-body', 'a content type without a body is ignored, even if unknown', async () => {
    for (const type of types) {
      const call = { method: 'DELETE', headers: { 'Content-Type': type } };
      expectError(await client.send({ ...call, path: `/store/orders/${missingId}` }), 404, 'not_found');
    }
  });
  check('chunked', 'a chunked body is ignored, too', async () => {
    const headers = { 'Content-Type': 'application/json', 'Transfer-Encoding': 'chunked' };
    const path = `/store/orders/${(await orders.delivered()).id}`;
    expectError(
      await client.send({ method: 'DELETE', path, headers, body: '{' }),
      409,
      'order_already_shipped',
    );
    expectStatus(await client.send({ path: '/store/orders', headers, body: '{' }), 200);
  });
  check('accept', '`Accept` is ignored: the response is always JSON', async () => {
    const plain = await client.send({ path: '/store/orders' });
    for (const accept of [
      'text/html',
      'application/xml',
      'image/png;q=0.1',
      'application/json;q=0',
      'nonsense',
    ]) {
      expectSameBody(await client.send({ path: '/store/orders', headers: { Accept: accept } }), plain);
      const call = { method: 'DELETE', path: `/store/orders/${missingId}`, headers: { Accept: accept } };
      expectError(await client.send(call), 404, 'not_found');
    }
  });
}
