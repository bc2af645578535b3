import { once, type Suite } from '../../check.ts';
import type { Context } from '../../context.ts';
import { ensure, expectStatus, headerOf } from '../../expect.ts';
import { callOf, documentedResponse, operationsOf, samplePath } from './operations.ts';

/** The `ETag` of every resource, before and after a change. */
export function everyTagChecks(suite: Suite, context: Context): void {
  const { check } = suite.section('all.tags', 'Every `ETag` of the documents');
  const { client, v2 } = context;
  const all = once(() => operationsOf(context));

  check('changes', 'a change gives every affected resource a new `ETag`', async () => {
    await v2.require();
    const petId = String(await v2.newPet(5));
    const orderId = String((await v2.place(BigInt(petId))).id);
    const tagged = (await all()).flatMap((operation) => {
      const path = samplePath(operation, { petId, orderId });
      const isTagged = operation.method === 'GET' && documentedResponse(operation, 304) !== undefined;
      return path !== undefined && isTagged ? [callOf(operation, path)] : [];
    });
    const before = new Map<string, string>();
    for (const call of tagged) before.set(call.prefix + call.path, headerOf(await client.send(call), 'ETag'));
    expectStatus(await v2.send('PATCH', `/pets/${petId}`, '{"name":"Renamed"}'), 200);
    expectStatus(await v2.send('POST', `/store/orders/${orderId}/ship`), 200);
    for (const call of tagged) {
      const tag = before.get(call.prefix + call.path) ?? '';
      const response = await client.send({ ...call, headers: { 'If-None-Match': tag } });
      expectStatus(response, 200);
      ensure(headerOf(response, 'ETag') !== tag, 'a different ETag', tag, response.request);
    }
  });
}
