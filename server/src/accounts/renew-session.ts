import { query } from '../database/query.ts';
import type { Transaction } from '../transaction/transaction.ts';

interface RenewSession {
  /** The hash of what the browser holds. */
  readonly token: string;
  readonly expires: string;
}

/** Prolongs a session, unless it has ended. */
export async function renewSession(tx: Transaction, session: RenewSession): Promise<void> {
  await tx.all(prolong, { ...session });
}

const prolong = query((db, p: { token: string; expires: string }) =>
  db.updateTable('sessions').set({ expires_at: p.expires }).where('token', '=', p.token),
);
