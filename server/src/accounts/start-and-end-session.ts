import { deleteRows } from '../database/rows.ts';
import { Refusal } from '../refusal.ts';
import { type Origin, saveEvent } from '../stores/account-events.ts';
import { type RightTry, settleAttempts } from '../stores/count-attempts.ts';
import { type NewSession, saveSession } from '../stores/save-session.ts';
import { verb } from '../writer/verb.ts';
import { lockAccount } from './open-and-close-account.ts';

type StartSession = NewSession & { accountId: string; passwordHash: string; attempts: RightTry };

export const startSession = verb('startSession', async (tx, start: StartSession) => {
  const { accountId, passwordHash, attempts, ...session } = start;
  await lockAccount(tx, accountId, passwordHash);
  await saveSession(tx, session, { accountId, keyId: null });
  await settleAttempts(tx, attempts);
  return saveEvent(tx, { accountId, address: session.address, what: 'signed_in', at: session.at });
});

export const endSession = verb(
  'endSession',
  async (tx, { token, address, at }: { token: string; address: string; at: bigint }) => {
    const [ended] = await deleteRows(tx, 'sessions', { token }, ['account_id']);
    if (!ended?.account_id) return null;
    return saveEvent(tx, { accountId: ended.account_id, address, what: 'signed_out', at });
  },
);

export const endOneSession = verb(
  'endOneSession',
  async (tx, { sessionId, ...by }: Origin & { sessionId: string }) => {
    const [ended] = await deleteRows(tx, 'sessions', { account_id: by.accountId, id: sessionId }, ['id']);
    if (!ended) throw new Refusal('not_found');
    return saveEvent(tx, { ...by, what: 'session_ended' });
  },
);

export const endAllSessions = verb('endAllSessions', async (tx, by: Origin) => {
  await deleteRows(tx, 'sessions', { account_id: by.accountId });
  return saveEvent(tx, { ...by, what: 'signed_out_everywhere' });
});
