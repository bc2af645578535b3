import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ServeConfig } from '../config/serve-config.ts';
import { UsageError } from '../config/usage-error.ts';
import type { Connection } from '../database/engine.ts';
import type { DeploymentName } from '../deployment.ts';
import { keyForm } from '../key-format.ts';
import { newKey } from '../keys/create-key.ts';
import { findCaller } from '../keys/find-caller.ts';
import { findKnownKey, KNOWN_KEY_ID } from '../keys/known-key.ts';
import { openStore } from '../orders/open-store.ts';
import { setKnownKey } from '../orders/set-known-key.ts';
import type { Writer } from '../writer/writer.ts';

const OWNER = 'demonstration';

type Config = Pick<ServeConfig, 'demo' | 'stagingKey' | 'data' | 'database'>;
interface Data {
  readonly db: Connection;
  readonly writer: Writer;
}

/** A working key of the demonstration account: the one known in advance, if there is one. */
export async function demonstrationKey(
  deployment: DeploymentName,
  config: Config,
  data: Data,
): Promise<string | undefined> {
  if (deployment === 'staging' && (await isKnown(config.stagingKey, data))) return config.stagingKey;
  if (!config.demo) return undefined;
  return keptKey(deployment, config.database === undefined ? config.data : undefined, data);
}

/** Whether a key is known in advance. That of an earlier start opens nothing any more. */
async function isKnown(key: string | undefined, { db, writer }: Data): Promise<boolean> {
  const details = key === undefined ? null : newKey('staging', 'known in advance', null, 'full', key).details;
  if (!details && (await db.all(findKnownKey, { id: KNOWN_KEY_ID })).length === 0) return false;
  const set = { owner: OWNER, key: details, at: BigInt(Date.now()) };
  if ((await writer.apply(setKnownKey, set)).isTaken)
    throw new UsageError('--staging-key is a key that was made here for a store: choose another');
  return details !== null;
}

async function keptKey(
  deployment: DeploymentName,
  folder: string | undefined,
  { db, writer }: Data,
): Promise<string> {
  const at = BigInt(Date.now());
  const file = folder === undefined ? undefined : join(folder, `${deployment}.demo-key`);
  if (file !== undefined && existsSync(file)) {
    const kept = readFileSync(file, 'utf8').trim();
    if (await findCaller(db, keyForm(deployment), kept, at)) return kept;
  }
  const { key, details } = newKey(deployment, 'demonstration');
  await writer.apply(openStore, { owner: OWNER, key: details, at });
  if (file !== undefined) writeFileSync(file, `${key}\n`, { mode: 0o600 });
  return key;
}
