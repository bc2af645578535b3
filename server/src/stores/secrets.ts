import { randomBytes } from 'node:crypto';
import type { Transaction } from '../changes/transaction.ts';
import type { Writer } from '../changes/writer.ts';
import type { Connection } from '../database/engine.ts';
import { query } from '../database/query.ts';

const readSecret = query((db, p: { name: string }) =>
  db.selectFrom('secrets').select('value').where('name', '=', p.name),
);

const insertSecret = query((db, p: { name: string; value: string }) =>
  db
    .insertInto('secrets')
    .values({ name: p.name, value: p.value })
    .onConflict((conflict) => conflict.column('name').doNothing()),
);

/** Keeps the first value offered under a name; a later one changes nothing. */
export async function offerSecret(
  tx: Transaction,
  secret: { name: string; value: string; at: bigint },
): Promise<void> {
  await tx.all(insertSecret, { name: secret.name, value: secret.value });
}

/** A random secret of the deployment, the same on every replica and after every restart. */
export async function deploymentSecret(db: Connection, writer: Writer, name: string): Promise<string> {
  const [kept] = await db.all(readSecret, { name });
  if (kept) return kept.value;
  await writer.apply('offerSecret', { name, value: randomBytes(32).toString('base64url'), at: 0n });
  return deploymentSecret(db, writer, name);
}
