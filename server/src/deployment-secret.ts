import { randomBytes } from 'node:crypto';
import type { Connection } from './database/engine.ts';
import { query } from './database/query.ts';
import { offerSecret } from './stores/offer-secret.ts';
import type { Writer } from './writer/writer.ts';

const readSecret = query((db, p: { name: string }) =>
  db.selectFrom('secrets').select('value').where('name', '=', p.name),
);

/** A random secret of the deployment, the same on every replica and after every restart. */
export async function deploymentSecret(db: Connection, writer: Writer, name: string): Promise<string> {
  const [kept] = await db.all(readSecret, { name });
  if (kept) return kept.value;
  await writer.apply(offerSecret, { name, value: randomBytes(32).toString('base64url') });
  return deploymentSecret(db, writer, name);
}
