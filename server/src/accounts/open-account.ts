import { sql } from 'kysely';
import { query } from '../database/query.ts';
import { saveEvent } from '../stores/account-events.ts';
import { verb } from '../writer/verb.ts';

type OpenAccount = { id: string; email: string; passwordHash: string; at: bigint; address: string };

/**
 * Opens an account, or leaves the one that has the address as it is. Both do the same work, so that not even the time
 * it takes tells which of the two happened.
 */
export const openAccount = verb(
  'openAccount',
  async (tx, { id, email, passwordHash, at, address }: OpenAccount) => {
    const [{ accountId } = { accountId: id }] = await tx.all(ensureAccount, { id, email, at });
    await tx.all(ensureCredential, { accountId, passwordHash });
    const what = accountId === id ? 'signed_up' : 'sign_up_repeated';
    return saveEvent(tx, { accountId, address, what, at });
  },
);

const ensureAccount = query(
  (_, p: { id: string; email: string; at: bigint }) => sql<{ accountId: string }>`
    INSERT INTO accounts (id, email, created_at) VALUES (${p.id}, ${p.email}, ${p.at})
    ON CONFLICT (email) DO UPDATE SET created_at = accounts.created_at RETURNING id AS "accountId"`,
);

const ensureCredential = query(
  (_, p: { accountId: string; passwordHash: string }) => sql`
    INSERT INTO credentials (account_id, password) VALUES (${p.accountId}, ${p.passwordHash})
    ON CONFLICT (account_id) DO UPDATE SET password = credentials.password`,
);
