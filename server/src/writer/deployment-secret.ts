import { randomBytes } from 'node:crypto';
import type { Connection } from '../database/query.ts';
import { findRows, insertRowIfAbsent } from '../database/rows.ts';
import type { Schema } from '../database/schema.ts';
import { verb } from './verb.ts';
import type { Writer } from './writer.ts';

/** The secret's name in the database. */
export const SIGNING_SECRET = 'seal';

/** Random key that signs cursors and cookies, the same on every replica and after every restart. */
export async function deploymentSecret(db: Connection, writer: Writer): Promise<string> {
  const name = SIGNING_SECRET;
  const [existing] = await findRows(db, 'secrets', { name }, ['value']);
  if (existing) return existing.value;
  await writer.apply(offerSecret, { name, value: randomBytes(32).toString('base64url') });
  return deploymentSecret(db, writer);
}

/** The first one offered is stored. */
const offerSecret = verb('offerSecret', (tx, secret: Schema['secrets']) =>
  insertRowIfAbsent(tx, 'secrets', secret),
);
