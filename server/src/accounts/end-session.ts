import { query } from '../database/query.ts';
import { Refusal } from '../refusal.ts';
import { type Origin, saveEvent } from '../stores/account-events.ts';
import { verb } from '../writer/verb.ts';

export const endSession = verb(
  'endSession',
  async (tx, { token, address, at }: { token: string; address: string; at: bigint }) => {
    const [ended] = await tx.all(deleteSession, { token });
    const accountId = ended?.accountId ?? null;
    if (accountId !== null) await saveEvent(tx, { accountId, address, what: 'signed_out', at });
    return { accountId };
  },
);

export const endOneSession = verb(
  'endOneSession',
  async (tx, { sessionId, ...by }: Origin & { sessionId: string }): Promise<void> => {
    const [ended] = await tx.all(deleteOne, { accountId: by.accountId, sessionId });
    if (!ended) throw new Refusal('not_found');
    await saveEvent(tx, { ...by, what: 'session_ended' });
  },
);

export const endAllSessions = verb('endAllSessions', async (tx, by: Origin): Promise<void> => {
  await tx.all(deleteSessionsOf, { accountId: by.accountId });
  await saveEvent(tx, { ...by, what: 'signed_out_everywhere' });
});

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

export const deleteSessionsOf = query((db, p: { accountId: string }) =>
  db.deleteFrom('sessions').where('account_id', '=', p.accountId),
);
