import { expect } from 'vitest';
import { openDeployment } from '../../../src/app/open-deployment.ts';
import { revokeKey } from '../../../src/keys/manage-keys.ts';
import { armFaults } from '../../../src/sandbox/armed-faults.ts';
import { exportDeployment } from '../../../src/transfer/export-deployment.ts';
import { openTransfer } from '../../../src/transfer/open-transfer.ts';
import { runCommand } from '../../support/command.ts';
import { postgres, sqlite, type TestDatabase } from '../../support/engines.ts';
import { insertPet } from '../../support/pets.ts';
import { startService, type TestStore } from '../../support/service.ts';
import { placeOrder, sendRequest } from './requests.ts';

export const routes = [
  { from: 'sqlite', to: 'postgres' },
  { from: 'postgres', to: 'sqlite' },
] as const;

export type EngineName = (typeof routes)[number]['from'];

export function newDatabase(engine: EngineName): Promise<TestDatabase> {
  return { sqlite, postgres }[engine].create();
}

/** Creates only what a start creates. */
export async function openOnce({ location }: TestDatabase): Promise<void> {
  await (await openDeployment('production', location))[Symbol.asyncDispose]();
}

/** Fills every table, including values that are easily lost. */
export async function fill(database: TestDatabase): Promise<TestStore[]> {
  await using service = await startService({ sqlite, postgres }[database.engine], { database });
  const stores = [await service.openStore(), await service.openStore(), await service.openStore()];
  const [{ key, storeId }, other, revoked] = stores as [TestStore, TestStore, TestStore];
  await sendRequest(service, 'DELETE /v1/store/orders/2', key);
  await sendRequest(service, 'POST /v2/store/orders/4/ship', key);
  await placeOrder(service, key, { 'idempotency-key': 'kept "as" it is\\' });
  await placeOrder(service, other.key);
  await service.deployment.writer.apply(revokeKey, { keyId: revoked.keyId, at: 1n });
  await service.deployment.writer.apply(armFaults, {
    storeId,
    faults: [{ operation: '*', fault: 'drop', parameters: '{}', times: null, probability: '0.1', seed: -1n }],
    at: 1n,
  });
  const names = ['Zoë 🐈', `it's "quoted"`, 'back\\slash {and},braces', ' ', 'NULL', '1e3', 'ﬁ\u0301'];
  for (const name of names) await insertPet(service.deployment.writer, storeId, { name });
  const largest = 2n ** 63n - 1n;
  await database.exec(
    `UPDATE stores SET next_order_id = ${largest} WHERE id = ${storeId};
     INSERT INTO orders (store_id, id, pet_id, quantity, ship_date, status, placed_at, updated_at, revision)
     VALUES (${storeId}, ${largest}, ${-largest}, 1, -1, 'pending', 0, 0, 1), (${storeId}, ${-largest}, 1, 1, 0, 'shipped', 0, 0, 1);
     INSERT INTO accounts VALUES ('acc', 'ann@example.com', 1767225600000);
     INSERT INTO credentials VALUES ('acc', 'hash');
     INSERT INTO sessions VALUES ('ses', 'acc', NULL, 'token', 1767225600000, ${largest}, 1767225600000, '203.0.113.9', 'Lynx');
     INSERT INTO audit VALUES ('acc', 1767225600000, 'ev', 'signed_in', NULL, NULL, '203.0.113.9');
     UPDATE stores SET owner = 'acc' WHERE id = ${other.storeId};
     UPDATE keys SET session_id = 'ses', last_used_at = 7 WHERE id = '${other.keyId}';
     INSERT INTO webhooks (id, store_id, url, types, secret, active, created_at, revision, next_delivery_id)
     VALUES ('wh_x', ${storeId}, 'https://receiver.invalid/?a=b&c', 'pet.changed', 'whsec_x', 0, 1, 1, 2);
     INSERT INTO deliveries VALUES ('wh_x', 1, '{"a":"\\n"}', 'failed', 8, '[]', NULL, ${Date.now()}, NULL, NULL, 0);
     INSERT INTO probes VALUES (1, 'tried');
     INSERT INTO attempts VALUES ('somebody', 3, ${largest})`,
  );
  return stores;
}

/** What the program prints of a database. */
export async function exportedByProgram(database: TestDatabase): Promise<string> {
  const { code, stdout, stderr } = await runCommand(['export', ...database.flags]);
  expect([code, stderr]).toEqual([0, expect.stringContaining('export 100%')]);
  return stdout;
}

/** The same, without a program to start. */
export async function exported({ location }: TestDatabase): Promise<string> {
  await using source = await openTransfer('production', location, 'read');
  let text = '';
  for await (const lines of exportDeployment('production', source, () => ({ add() {}, end() {} })))
    text += lines;
  return text;
}

/** The number of user-created rows. */
export async function rowCount({ rows }: TestDatabase): Promise<bigint> {
  const [found] = await rows(
    `SELECT (SELECT count(*) FROM stores) + (SELECT count(*) FROM orders) + (SELECT count(*) FROM accounts) AS count`,
  );
  return BigInt(found?.count ?? 0);
}
