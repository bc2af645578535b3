import { describe, expect, it } from 'vitest';
import { newKey } from '../../src/keys/manage-keys.ts';
import { openStore } from '../../src/provisioning/open-store.ts';
import { postgres } from '../support/engines.ts';
import { useService } from '../support/service.ts';
import { clientOf } from '../support/v2.ts';
import { during, waitingForLocks } from './support/during.ts';
import { connect } from './support/own-postgres.ts';

describe('a write with a key on PostgreSQL after a concurrent reset of its store', () => {
  const service = useService(postgres, { deployment: 'staging' });

  it('succeeds', async () => {
    const { database, deployment, request } = service();
    const made = newKey('staging', 'made');
    const first = newKey('staging', 'first');
    const open = ({ details }: typeof made) =>
      deployment.writer.apply(openStore, { owner: 'me', key: details, at: BigInt(Date.now()) });
    await open(first);
    await database.exec(
      `CREATE FUNCTION wait() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN PERFORM pg_advisory_xact_lock(7); RETURN NEW; END';
       CREATE TRIGGER waiting BEFORE INSERT ON keys FOR EACH ROW EXECUTE FUNCTION wait()`,
    );
    const holder = await connect(String(database.location.database));
    await holder.query('SELECT pg_advisory_lock(7)');
    const opened = open(made);
    await waitingForLocks(database, 1);
    const reset = clientOf(service(), first)('POST /v2/sandbox/reset', { body: { dataSet: 'empty' } });
    await Promise.race([reset, waitingForLocks(database, 2)]);
    await holder.end();
    await opened;
    expect((await reset).status).toBe(200);
    expect((await request('GET /v1/pets', { key: made.key })).status).toBe(200);
  });
});

describe('a temporary store on PostgreSQL, opened while its parent is reset', () => {
  const service = useService(postgres, { deployment: 'staging' });

  it.each([
    ['reset', 200],
    ['stores', 201],
  ])('POST /v2/sandbox/%s: %d', async (call, status) => {
    const opener = await service().openStore();
    const open = () => clientOf(service(), opener)('POST /v2/sandbox/stores', { body: {} });
    const other = (await open()).json<{ key: string }>();
    const send = clientOf(service(), call === 'reset' ? other : opener);
    const newId = opener.storeId + 1n;
    const reset = `UPDATE stores SET closed_at = ${2n ** 62n} WHERE id = ${opener.storeId};
      INSERT INTO stores (id, revision, next_order_id, next_pet_id, created_at, tenant_id)
      VALUES (${newId}, 2, 1, 1, 0, ${opener.storeId});
      UPDATE keys SET store_id = ${newId} WHERE store_id = ${opener.storeId}`;
    const outcome = await during(service().database, reset, () =>
      send(`POST /v2/sandbox/${call}`, { body: { dataSet: 'empty' } }),
    );
    expect(outcome).toMatchObject({ status: 'fulfilled', value: { status } });
  });
});
