import { describe, expect, it } from 'vitest';
import { eventRetention } from '../../src/events/event-retention.ts';
import { engines } from '../support/engines.ts';
import { readEvents } from '../support/event-reader.ts';
import { runJob } from '../support/jobs.ts';
import { useService } from '../support/service.ts';
import { type Client, clientOf, type Page } from '../support/v2.ts';

const DAYS_31 = 31 * 24 * 3_600_000;

describe.each(engines)('events on $name', (engine) => {
  const service = useService(engine, { deployment: 'staging' });
  const change = (client: Client) => client('PATCH /v2/pets/1', { body: { stock: 5 } });
  const idsAfter = async (client: Client, after: string) =>
    (await client(`GET /v2/store/events?after=${after}`))
      .json<Page<{ id: string }>>()
      .data.map(({ id }) => id);
  const forget = ({ most, later = 0 }: { most?: bigint; later?: number }) => {
    const { db, writer } = service().deployment;
    return runJob(eventRetention(db, writer, () => Date.now() + later, most));
  };
  async function storeWithEvents(count: number) {
    const store = await service().openStore();
    const client = clientOf(service(), store);
    for (let i = 0; i < count; i++) await change(client);
    return { store, client, ids: await idsAfter(client, '0') };
  }

  it('are limited to the newest; requesting older ones is 410 with the oldest ID', async () => {
    const { store, client, ids } = await storeWithEvents(9);
    const other = await storeWithEvents(2);
    await forget({ most: 4n });
    expect(await idsAfter(client, '0')).toEqual(ids.slice(5));
    expect(await idsAfter(client, ids[4] as string)).toEqual(ids.slice(5));
    expect(await idsAfter(other.client, '0')).toEqual(other.ids);
    for (const [path, headers] of [
      [`/v2/store/events?after=${ids[3]}`, {}],
      [`/v2/store/events/stream?after=${ids[3]}`, {}],
      ['/v2/store/events/stream', { 'last-event-id': '1' }],
    ] as const) {
      const rejected = await client(`GET ${path}`, { headers });
      expect([path, rejected.status, rejected.error().code]).toEqual([path, 410, 'events_expired']);
      expect(rejected.error().message).toContain(`The oldest stored event is ${ids[5]}:`);
    }
    using stream = await readEvents(service(), { key: store.key, after: '0' });
    expect((await stream.waitForEvents(4)).map(({ id }) => id)).toEqual(ids.slice(5));
  });

  it.each([0, 1])('are retained for 30 days, even if one is dated ahead: number %i', async (ahead) => {
    const { store, client, ids } = await storeWithEvents(4);
    await service().database.exec(
      `UPDATE changes SET at = 250000000000000 WHERE store_id = ${store.storeId} AND revision = ${ids[ahead]}`,
    );
    await forget({ later: DAYS_31 });
    expect(await idsAfter(client, '0')).toEqual([]);
    expect(await idsAfter(client, ids[3] as string)).toEqual([]);
    const rejected = await client(`GET /v2/store/events?after=${ids[2]}`);
    expect([rejected.status, rejected.error().message.includes('No events are stored')]).toEqual([410, true]);
    await change(client);
    expect(await idsAfter(client, ids[3] as string)).toHaveLength(1);
  });

  it('are pruned in steps, however many there are', async () => {
    const { store, client } = await storeWithEvents(1);
    await service().database.exec(
      `UPDATE stores SET revision = 5000 WHERE id = ${store.storeId};
       INSERT INTO changes (store_id, revision, at, type)
       WITH RECURSIVE n (i) AS (SELECT 3001 UNION ALL SELECT i + 1 FROM n WHERE i < 5000)
       SELECT ${store.storeId}, i, ${Date.now()}, 'store.reset' FROM n`,
    );
    await forget({ most: 300n });
    expect(await idsAfter(client, '0')).toHaveLength(50);
    const [left] = await service().database.rows(
      `SELECT count(*) AS n, min(revision) AS oldest FROM changes WHERE store_id = ${store.storeId}`,
    );
    expect(left).toEqual({ n: 300n, oldest: 4701n });
  });

  it('from before a restore, which skips many revisions, are retained until the limit is reached', async () => {
    const { store, client, ids } = await storeWithEvents(3);
    await service().database.exec(
      `UPDATE stores SET revision = 1763000000000000 WHERE id = ${store.storeId}`,
    );
    await forget({});
    expect(await idsAfter(client, '0')).toEqual(ids);
    const newer: string[] = [];
    for (const expectedIds of [() => [...ids, ...newer], () => [...ids, ...newer], () => newer.slice(-2)]) {
      await change(client);
      newer.push(`${1763000000000001 + newer.length}`);
      await forget({ most: 2n });
      expect(await idsAfter(client, '0')).toEqual(expectedIds());
    }
  });

  it('from before a reset are no longer available: the stream starts with the reset', async () => {
    const { client, ids } = await storeWithEvents(5);
    await forget({ most: 2n });
    await client('POST /v2/sandbox/reset', { body: { dataSet: 'empty' } });
    expect(await idsAfter(client, ids[0] as string)).toHaveLength(1);
  });
});
