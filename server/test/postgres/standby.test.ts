import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'vitest';
import { startService } from '../support/service.ts';
import { eventually } from './support/eventually.ts';
import { startOwnPostgres, useOwnPostgres } from './support/own-postgres.ts';
import { expectRecovery, ready } from './support/recovery.ts';
import { expectUnavailable, listedIds, oneOfEach, sendRequest } from './support/requests.ts';

describe('when PostgreSQL has become a standby', () => {
  it('503: its data may be stale; once promoted, it is used', async () => {
    await using postgres = await startOwnPostgres();
    await using service = await startService(postgres.impatientEngine);
    const store = await service.openStore();
    await listedIds(service, store.key);
    await postgres.stop();
    writeFileSync(join(postgres.folder, 'standby.signal'), '');
    // Reports that it accepts connections only once it is promoted.
    const promoted = postgres.start();
    await eventually(
      () => postgres.query('SELECT pg_is_in_recovery()::text AS standby').catch(() => []),
      ([row]) => row?.standby === 'true',
    );
    for (const response of await oneOfEach(service, store.key)) expectUnavailable(response);
    expectUnavailable(await ready(service));
    await postgres.query('SELECT pg_promote()');
    await promoted;
    await expectRecovery(service, store, 39);
  });
});

describe('when PostgreSQL waits for an unresponsive standby', () => {
  const postgres = useOwnPostgres();

  async function waitFor(standby: string): Promise<void> {
    await postgres().query(`ALTER SYSTEM SET synchronous_standby_names = '${standby}'`);
    await postgres().query('SELECT pg_reload_conf()');
    await eventually(
      () => postgres().query('SHOW synchronous_standby_names'),
      ([row]) => row?.synchronous_standby_names === standby,
    );
  }

  it.each([
    ['it goes on waiting', 'SELECT 1'],
    [
      'its configuration says not to wait',
      "SELECT pg_cancel_backend(pid) FROM pg_stat_activity WHERE wait_event = 'SyncRep'",
    ],
  ])('503: a commit is not acknowledged, when %s', async (_, sql) => {
    await using service = await startService(postgres().impatientEngine);
    const store = await service.openStore();
    await waitFor('nobody');
    const cancelling = sendRequest(service, 'DELETE /v1/store/orders/2', store.key);
    await eventually(
      () => postgres().query("SELECT 1 AS waiting FROM pg_stat_activity WHERE wait_event = 'SyncRep'"),
      (rows) => rows.length > 0,
    );
    await postgres().query(sql);
    expectUnavailable(await cancelling);
    await waitFor('');
    await expectRecovery(service, store, 39);
  });
});
