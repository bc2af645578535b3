import { deleteRows } from '../database/rows.ts';
import { Refusal } from '../refusal.ts';
import { type Origin, saveEvent } from '../stores/account-events.ts';
import { verb } from '../writer/verb.ts';

export const endSession = verb(
  'endSession',
  async (tx, { token, address, at }: { token: string; address: string; at: bigint }) => {
    const [ended] = await deleteRows(tx, 'sessions', { token }, ['account_id']);
    const accountId = ended?.account_id ?? null;
    if (accountId !== null) await saveEvent(tx, { accountId, address, what: 'signed_out', at });
    return { accountId };
  },
);

export const endOneSession = verb(
  'endOneSession',
  async (tx, { sessionId, ...by }: Origin & { sessionId: string }): Promise<void> => {
    const [ended] = await deleteRows(tx, 'sessions', { account_id: by.accountId, id: sessionId }, ['id']);
    if (!ended) throw new Refusal('not_found');
    await saveEvent(tx, { ...by, what: 'session_ended' });
  },
);

export const endAllSessions = verb('endAllSessions', async (tx, by: Origin): Promise<void> => {
  await deleteRows(tx, 'sessions', { account_id: by.accountId });
  await saveEvent(tx, { ...by, what: 'signed_out_everywhere' });
});
