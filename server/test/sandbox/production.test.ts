import { describe, expect, it } from 'vitest';
import { anyEngine } from '../support/engines.ts';
import { essence } from '../support/http.ts';
import { useService } from '../support/service.ts';
import { clientOf } from '../support/v2.ts';
import { plain, requestText, sendBytes } from './support.ts';

describe.each(anyEngine)('production on $name', (engine) => {
  const service = useService(engine);

  it.each([
    'GET /v2/sandbox/faults',
    'PUT /v2/sandbox/faults',
    'DELETE /v2/sandbox/faults',
    'POST /v2/sandbox/reset',
    'GET /v2/sandbox/data',
    'POST /v2/sandbox/stores',
    'DELETE /v2/sandbox/stores/current',
    'GET /v2/%73andbox/faults',
    'PUT /v2/sandbo%78/faults',
    'DELETE /v2/%73andbox/faults',
    'POST /v2/%73andbox/reset',
    'GET /v2/sandb%6Fx/data',
    'POST /v2/%73andbox/stores',
    'DELETE /v2/%73andbox/stores/current',
  ])('%s is not found, whatever is sent, and points to staging', async (request) => {
    const store = await service().openStore();
    expect((await service().request(request)).status).toBe(401);
    for (const sent of [
      {},
      { body: { dataSet: 'empty' } },
      { body: 'no JSON', headers: { 'content-type': 'text/plain' } },
    ]) {
      const response = await clientOf(service(), store)(request, sent);
      expect([response.status, response.error().code]).toEqual([404, 'not_found']);
      expect(response.error().message).toContain('staging');
    }
    expect((await service().request('GET /v1/store/orders', { key: store.key })).text).not.toBe('[]');
  });

  it('ignores every preference: identical bytes', async () => {
    const store = await service().openStore();
    for (const request of ['GET /v1/store/orders', 'GET /v1/pets/1', 'GET /v2/pets/1', 'GET /v1/nothing']) {
      const without = await sendBytes(service(), requestText(request, store, ['Connection: close']));
      for (const prefer of [
        'fault=drop',
        'fault=truncate',
        'fault=delay; ms=30000',
        'code=503',
        'now="2031-01-01T00:00:00Z"',
        'handling=strict, unknown',
      ]) {
        const received = await sendBytes(
          service(),
          requestText(request, store, ['Connection: close', `Prefer: ${prefer}`]),
        );
        expect(plain(received.text)).toBe(plain(without.text));
      }
    }
  });

  it('ignores faults armed in its database', async () => {
    const store = await service().openStore();
    const before = essence(await service().request('GET /v1/pets', { key: store.key }));
    const until = Date.now() + 3_600_000;
    await service().database.exec(
      `INSERT INTO faults (store_id, position, operation, fault, parameters, times, probability, seed, drawn, fired)
       VALUES (${store.storeId}, 0, '*', 'drop', '{}', NULL, '1', 1, 0, 0);
       UPDATE stores SET faults_until = ${until} WHERE id = ${store.storeId}`,
    );
    expect(essence(await service().request('GET /v1/pets', { key: store.key }))).toEqual(before);
  });
});
