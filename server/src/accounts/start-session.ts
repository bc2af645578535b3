import { saveEvent } from '../stores/account-events.ts';
import { type RightTry, settleAttempts } from '../stores/count-attempts.ts';
import { type NewSession, saveSession } from '../stores/save-session.ts';
import { verb } from '../writer/verb.ts';
import { lockAccount } from './lock-account.ts';

type StartSession = NewSession & { accountId: string; passwordHash: string; attempts: RightTry };

export const startSession = verb('startSession', async (tx, start: StartSession) => {
  const { accountId, passwordHash, attempts, ...session } = start;
  await lockAccount(tx, accountId, passwordHash);
  await saveSession(tx, session, { accountId, keyId: null });
  await settleAttempts(tx, attempts);
  return saveEvent(tx, { accountId, address: session.address, what: 'signed_in', at: session.at });
});
