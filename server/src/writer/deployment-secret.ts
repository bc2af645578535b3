import { randomBytes } from 'node:crypto';
import type { Connection } from '../database/query.ts';
import { ensureRow, findRows } from '../database/rows.ts';
import type { Schema } from '../database/schema.ts';
import { verb } from './verb.ts';
import type { Writer } from './writer.ts';

/** Signs what clients store for the service, such as cursors. */
export const SEAL = 'seal';

/** A random secret of the deployment, the same on every replica and after every restart. */
export async function deploymentSecret(db: Connection, writer: Writer, name: string): Promise<string> {
  const [existing] = await findRows(db, 'secrets', { name }, ['value']);
  if (existing) return existing.value;
  await writer.apply(offerSecret, { name, value: randomBytes(32).toString('base64url') });
  return deploymentSecret(db, writer, name);
}

/** The first one offered is stored. */
const offerSecret = verb('offerSecret', (tx, secret: Schema['secrets']) => ensureRow(tx, 'secrets', secret));
