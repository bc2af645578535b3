import { describe, expect, it } from 'vitest';
import type { Connection } from '../../src/database/query.ts';
import { keyMatcher } from '../../src/domain/key-format.ts';
import type { Request } from '../../src/http/server/request.ts';
import { authenticate } from '../../src/keys/authenticate.ts';
import { engines } from '../support/engines.ts';
import { useService } from '../support/service.ts';

describe.each(engines)('callers on $name', (engine) => {
  const service = useService(engine);

  it('with the same key at the same time share a query; a later request queries again', async () => {
    const { deployment, openStore } = service();
    const [one, other] = [await openStore(), await openStore()];
    let looks = 0;
    const db: Connection = {
      all: (query, params) => {
        looks++;
        return deployment.db.all(query, params);
      },
    };
    const guard = authenticate({
      db,
      deployment: 'production',
      isKey: keyMatcher('production'),
      now: Date.now,
      servers: () => [{ name: 'production', origin: 'http://127.0.0.1' }],
    });
    const storeOf = async (key: string) => {
      const headers = { authorization: `Bearer ${key}` };
      const request = { address: '127.0.0.1', headers, raw: { rawHeaders: [] as string[] } } as Request;
      await guard(request);
      return request.caller?.storeId;
    };
    const [rejected, ...found] = await Promise.allSettled(
      ['no-key', one.key, other.key, one.key].map(storeOf),
    );
    expect(rejected).toMatchObject({ status: 'rejected', reason: { code: 'invalid_api_key' } });
    expect(found.map((settled) => settled.status === 'fulfilled' && settled.value)).toEqual([
      one.storeId,
      other.storeId,
      one.storeId,
    ]);
    expect(looks).toBe(2);
    await storeOf(one.key);
    expect(looks).toBe(3);
  });
});
