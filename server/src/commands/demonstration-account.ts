import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { OpenDeployment } from '../app/open-deployment.ts';
import type { ServeConfig } from '../config/serve-config.ts';
import { UsageError } from '../config/usage-error.ts';
import { findRows } from '../database/rows.ts';
import { keyMatcher } from '../domain/key-format.ts';
import { findCaller } from '../keys/find-caller.ts';
import { newKey } from '../keys/manage-keys.ts';
import { openStore } from '../provisioning/open-store.ts';
import { STATIC_KEY_ID, setStaticKey } from '../provisioning/static-key.ts';

const OWNER = 'demonstration';

type Config = Pick<ServeConfig, 'demo' | 'stagingKey' | 'data' | 'database'>;
type Deployment = Pick<OpenDeployment, 'name' | 'db' | 'writer'>;

/** Returns a working key of the demo account, which it creates if needed. On staging, that is the static key, if configured. */
export async function ensureDemonstrationKey(
  deployment: Deployment,
  config: Config,
): Promise<string | undefined> {
  const { stagingKey, demo } = config;
  if (deployment.name === 'staging') await applyStaticKey(stagingKey, deployment);
  if (deployment.name === 'staging' && stagingKey !== undefined) return stagingKey;
  return demo ? reuseOrCreateKey(deployment, config) : undefined;
}

/** Sets the static key, and invalidates the one of an earlier start. */
async function applyStaticKey(key: string | undefined, { db, writer }: Deployment): Promise<void> {
  const [earlier] = await findRows(db, 'keys', { id: STATIC_KEY_ID }, ['id']);
  if (key === undefined && !earlier) return;
  const details = key === undefined ? null : newKey('staging', 'static key', null, 'full', key).details;
  const set = { owner: OWNER, key: details, at: BigInt(Date.now()) };
  const { isKeyTaken } = await writer.apply(setStaticKey, set);
  if (isKeyTaken) throw new UsageError('--staging-key is already the key of a store: choose another');
}

/** Next to an embedded database, a file stores the key for later starts. With PostgreSQL, each start creates a new key. */
async function reuseOrCreateKey(
  { name, db, writer }: Deployment,
  { data, database }: Config,
): Promise<string> {
  const at = BigInt(Date.now());
  const file = database === undefined ? join(data, `${name}.demo-key`) : undefined;
  if (file !== undefined && existsSync(file)) {
    const stored = readFileSync(file, 'utf8').trim();
    if (await findCaller(db, keyMatcher(name), stored, at)) return stored;
  }
  const { key, details } = newKey(name, 'demonstration');
  await writer.apply(openStore, { owner: OWNER, key: details, at });
  if (file !== undefined) writeFileSync(file, `${key}\n`, { mode: 0o600 });
  return key;
}
