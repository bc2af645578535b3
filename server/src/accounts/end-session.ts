import { query } from '../database/query.ts';
import { Refusal } from '../refusal.ts';
import { type Origin, saveEvent } from '../stores/account-events.ts';
import type { Transaction } from '../writer/transaction.ts';
import { verb } from '../writer/verb.ts';

export const endSession = verb(
  'endSession',
  async (
    tx,
    { token, address, at }: { token: string; address: string; at: bigint },
  ): Promise<{ accountId: string | null }> => {
    const [ended] = await tx.all(deleteSession, { token });
    const accountId = ended?.accountId ?? null;
    if (accountId !== null) await saveEvent(tx, { accountId, address, what: 'signed_out', at });
    return { accountId };
  },
);

export const endOneSession = verb(
  'endOneSession',
  async (tx, { sessionId, at, ...origin }: Origin & { sessionId: string; at: bigint }): Promise<void> => {
    const [ended] = await tx.all(deleteOne, { accountId: origin.accountId, sessionId });
    if (!ended) throw new Refusal('not_found');
    await saveEvent(tx, { ...origin, what: 'session_ended', at });
  },
);

export const endAllSessions = verb(
  'endAllSessions',
  async (tx, { at, ...origin }: Origin & { at: bigint }): Promise<void> => {
    await endEverySession(tx, origin.accountId);
    await saveEvent(tx, { ...origin, what: 'signed_out_everywhere', at });
  },
);

/** Ends all sessions without an audit event; the caller records its own. */
export async function endEverySession(tx: Transaction, accountId: string): Promise<void> {
  await tx.all(deleteSessions, { accountId });
}

const deleteSession = query((db, p: { token: string }) =>
  db.deleteFrom('sessions').where('token', '=', p.token).returning('account_id as accountId'),
);

const deleteOne = query((db, p: { accountId: string; sessionId: string }) =>
  db
    .deleteFrom('sessions')
    .where('account_id', '=', p.accountId)
    .where('id', '=', p.sessionId)
    .returning('id'),
);

const deleteSessions = query((db, p: { accountId: string }) =>
  db.deleteFrom('sessions').where('account_id', '=', p.accountId),
);
