import { query } from '../database/query.ts';
import { verb } from '../writer/verb.ts';

interface RenewSession {
  readonly token: string;
  readonly expiresAt: bigint;
  readonly at: bigint;
  readonly address: string;
}

/** Notes that a session is in use, and prolongs it, unless it has ended. */
export const renewSession = verb('renewSession', async (tx, session: RenewSession): Promise<void> => {
  await tx.all(prolong, { ...session });
});

const prolong = query((db, p: RenewSession) =>
  db
    .updateTable('sessions')
    .set({ expires_at: p.expiresAt, seen_at: p.at, address: p.address })
    .where('token', '=', p.token),
);
