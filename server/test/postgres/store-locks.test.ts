import { describe, expect, it } from 'vitest';
import { postgres } from '../support/engines.ts';
import { useService } from '../support/service.ts';
import { clientOf } from '../support/v2.ts';
import { during } from './support/during.ts';

describe('a store beside another on PostgreSQL, whose opener is reset at that moment', () => {
  const service = useService(postgres, { deployment: 'staging' });

  it.each([
    ['reset', 200],
    ['stores', 201],
  ])('POST /v2/sandbox/%s: %d', async (call, status) => {
    const opener = await service().openStore();
    const open = () => clientOf(service(), opener)('POST /v2/sandbox/stores', { body: {} });
    const beside = (await open()).json<{ key: string }>();
    const asked = clientOf(service(), call === 'reset' ? beside : opener);
    const newId = opener.storeId + 1n;
    const reset = `UPDATE stores SET closed_at = ${2n ** 62n} WHERE id = ${opener.storeId};
      INSERT INTO stores (id, revision, next_order_id, next_pet_id, created_at, tenant_id)
      VALUES (${newId}, 2, 1, 1, 0, ${opener.storeId});
      UPDATE keys SET store_id = ${newId} WHERE store_id = ${opener.storeId}`;
    const outcome = await during(service().database, reset, () =>
      asked(`POST /v2/sandbox/${call}`, { body: { dataSet: 'empty' } }),
    );
    expect(outcome).toMatchObject({ status: 'fulfilled', value: { status } });
  });
});
