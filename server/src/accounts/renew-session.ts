import { query } from '../database/query.ts';
import type { Transaction } from '../transaction/transaction.ts';

interface RenewSession {
  /** The hash of what the browser holds. */
  readonly token: string;
  readonly expiresAt: bigint;
}

/** Prolongs a session, unless it has ended. */
export async function renewSession(tx: Transaction, session: RenewSession): Promise<void> {
  await tx.all(prolong, { ...session });
}

const prolong = query((db, p: { token: string; expiresAt: bigint }) =>
  db.updateTable('sessions').set({ expires_at: p.expiresAt }).where('token', '=', p.token),
);
