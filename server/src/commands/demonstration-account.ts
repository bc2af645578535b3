import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Connection } from '../database/engine.ts';
import type { DeploymentName } from '../deployment.ts';
import { newKey } from '../keys/create-key.ts';
import { findCaller } from '../keys/find-caller.ts';
import { openStore } from '../orders/open-store.ts';
import type { Writer } from '../writer/writer.ts';

const OWNER = 'demonstration';

/**
 * A working key of the demonstration account. The last one is kept in the data folder, for its owner's
 * eyes only; without such a folder, or if that key no longer works, the account gets a further one.
 */
export async function demonstrationKey(
  deployment: DeploymentName,
  { db, writer, folder, now }: { db: Connection; writer: Writer; folder: string | undefined; now: number },
): Promise<string> {
  const at = BigInt(now);
  const file = folder === undefined ? undefined : join(folder, `${deployment}.demo-key`);
  if (file !== undefined && existsSync(file)) {
    const kept = readFileSync(file, 'utf8').trim();
    if (await findCaller(db, deployment, kept, at)) return kept;
  }
  const { key, details } = newKey(deployment, 'demonstration');
  await writer.apply(openStore, { owner: OWNER, key: details, at });
  if (file !== undefined) writeFileSync(file, `${key}\n`, { mode: 0o600 });
  return key;
}
