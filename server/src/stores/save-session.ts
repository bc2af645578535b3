import { query } from '../database/query.ts';
import type { Transaction } from '../writer/transaction.ts';

export interface NewSession {
  readonly id: string;
  readonly token: string;
  /** The session that the browser came with, if any: it ends as this one starts. */
  readonly replaces: string | null;
  readonly at: bigint;
  readonly expiresAt: bigint;
  readonly address: string;
  readonly agent: string;
}

interface Owner {
  readonly accountId: string | null;
  readonly keyId: string | null;
}

const MOST_OF_OWNER = 100n;

export async function saveSession(tx: Transaction, session: NewSession, owner: Owner): Promise<void> {
  const { replaces, ...started } = session;
  await tx.all(insertSession, { ...started, ...owner });
  if (replaces !== null) await tx.all(endReplaced, { token: replaces });
  await tx.all(endOldest, { ...owner, kept: MOST_OF_OWNER });
}

const insertSession = query((db, p: Omit<NewSession, 'replaces'> & Owner) =>
  db.insertInto('sessions').values({
    id: p.id,
    account_id: p.accountId,
    key_id: p.keyId,
    token: p.token,
    created_at: p.at,
    expires_at: p.expiresAt,
    seen_at: p.at,
    address: p.address,
    agent: p.agent,
  }),
);

const endReplaced = query((db, p: { token: string }) =>
  db.deleteFrom('sessions').where('token', '=', p.token),
);

const endOldest = query((db, p: Owner & { kept: bigint }) =>
  db.deleteFrom('sessions').where('id', 'in', (eb) =>
    eb
      .selectFrom('sessions')
      .select('id')
      .where((of) => of.or([of('account_id', '=', p.accountId), of('key_id', '=', p.keyId)]))
      .orderBy('created_at', 'desc')
      .orderBy('id', 'desc')
      .limit(100)
      .offset(p.kept),
  ),
);
