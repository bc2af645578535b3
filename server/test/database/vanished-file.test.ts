import { existsSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { backup, DatabaseSync } from 'node:sqlite';
import { setTimeout as pause } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { openDeployment } from '../../src/app/open-deployment.ts';
import { newKey } from '../../src/keys/manage-keys.ts';
import { openStore } from '../../src/provisioning/open-store.ts';
import { sqlite, temporaryFolder } from '../support/engines.ts';
import { startService, type TestService } from '../support/service.ts';

const pathOf = (service: TestService) => join(service.database.location.data, 'production.db');

async function expectNothingWorks(service: TestService, key: string): Promise<void> {
  const cancelled = await service.request('DELETE /v1/store/orders/2', { key });
  expect([cancelled.status, cancelled.json()]).toMatchObject([503, { code: 'unavailable' }]);
  expect(service.log.join('')).toMatch(/"level":"error".*production\.db(-wal)? was (removed|replaced)/);
  // Readers look once a second.
  while ((await service.request('GET /v1/store/orders', { key })).status === 200) await pause(10);
  for (const target of ['GET /readyz', 'GET /v1/store/orders', 'GET /v1/pets/1']) {
    expect([target, (await service.request(target, { key })).status]).toEqual([target, 503]);
  }
}

/** Opens a store without the service's own writer, which has written nothing yet. */
async function openStoreOnOther(service: TestService): Promise<{ key: string }> {
  await using deployment = await openDeployment('production', service.database.location);
  const { key, details } = newKey('production', 'test', null);
  await deployment.writer.apply(openStore, { owner: null, key: details, at: BigInt(Date.now()) });
  return { key };
}

it.each(['before the first change', 'after a change'])(
  '503: everything, after the data folder was removed %s',
  async (when) => {
    await using service = await startService(sqlite);
    const { key } = await openStoreOnOther(service);
    if (when === 'after a change')
      expect((await service.request('DELETE /v1/store/orders/4', { key })).status).toBe(204);
    rmSync(service.database.location.data, { recursive: true });
    await expectNothingWorks(service, key);
    expect(existsSync(pathOf(service))).toBe(false);
  },
);

it.each(['-wal', '-shm'])('503: changes, after the %s file was removed', async (end) => {
  await using service = await startService(sqlite);
  const { key } = await service.openStore();
  rmSync(`${pathOf(service)}${end}`);
  expect((await service.request('DELETE /v1/store/orders/2', { key })).status).toBe(503);
});

it('503: everything, after the file was replaced by an older copy, which stays unchanged', async () => {
  using folder = temporaryFolder();
  await using service = await startService(sqlite);
  const { key } = await service.openStore();
  const older = join(folder.path, 'older.db');
  const original = join(folder.path, 'original.db');
  {
    using db = new DatabaseSync(pathOf(service), { readOnly: true });
    await backup(db, older);
  }
  const bytes = readFileSync(older);
  renameSync(pathOf(service), original);
  renameSync(older, pathOf(service));
  await expectNothingWorks(service, key);
  expect(readFileSync(pathOf(service))).toEqual(bytes);

  renameSync(pathOf(service), older);
  renameSync(original, pathOf(service));
  expect((await service.request('DELETE /v1/store/orders/2', { key })).status).toBe(204);
  while ((await service.request('GET /readyz')).status !== 200) await pause(10);
});

it('a stop without changes leaves everything in the file, and no -wal file', async () => {
  await using database = await sqlite.create();
  const deployment = await openDeployment('production', database.location);
  await deployment[Symbol.asyncDispose]();
  expect(existsSync(join(database.location.data, 'production.db-wal'))).toBe(false);
});
