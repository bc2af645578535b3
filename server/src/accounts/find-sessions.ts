import { query } from '../database/query.ts';
import { updateRows } from '../database/rows.ts';
import type { Schema } from '../database/schema.ts';
import type { Services } from '../http/operations/operation.ts';
import { isActiveAt } from '../keys/manage-keys.ts';
import { tenantId } from '../stores/find-store.ts';
import { verb } from '../writer/verb.ts';
import { DAY_MS, hashToken, SESSION_MS } from './start-and-end-sessions.ts';

export const MAX_SESSION_MS = 30n * DAY_MS;
const RENEWAL_INTERVAL_MS = DAY_MS;
const LAST_SEEN_INTERVAL_MS = 300_000n;

export type AnySession = NonNullable<Awaited<ReturnType<typeof findSession>>>;
/** Opened with a key: has a store, but no account. */
export type KeySession = Extract<AnySession, { keyId: string }>;
export type AccountSession = Exclude<AnySession, KeySession>;

export function isKeySession(session: AnySession): session is KeySession {
  return 'keyId' in session;
}

declare module '../http/server/request.ts' {
  interface Request {
    session?: AnySession | undefined;
  }
}

export async function findSession({ db, writer, clock }: Services, cookie: string, address: string) {
  const token = hashToken(cookie);
  const at = BigInt(clock());
  const [ofAccount] = await db.all(accountSession, { token });
  const found = ofAccount ?? (await db.all(keySession, { token, at }))[0];
  if (!found) return undefined;
  const { createdAt, expiresAt, lastSeenAt, ...session } = found;
  const end = createdAt + MAX_SESSION_MS;
  if (expiresAt <= at || end <= at) return undefined;
  const isRenewed = expiresAt - at < SESSION_MS - RENEWAL_INTERVAL_MS && expiresAt < end;
  if (isRenewed || at - lastSeenAt >= LAST_SEEN_INTERVAL_MS) {
    const extended = BigInt(Math.min(Number(at + SESSION_MS), Number(end)));
    const use = { token, expires_at: isRenewed ? extended : expiresAt, seen_at: at, address };
    // Best effort: reads work without it, and the next request tries again.
    await writer.apply(renewSession, use).catch(() => {});
  }
  return { ...session, isRenewed };
}

const columns = [
  'sessions.id',
  'sessions.created_at as createdAt',
  'sessions.expires_at as expiresAt',
  'sessions.seen_at as lastSeenAt',
] as const;

const accountSession = query((db, p: { token: string }) =>
  db
    .selectFrom('sessions')
    .innerJoin('accounts', 'accounts.id', 'sessions.account_id')
    .innerJoin('stores', 'stores.owner', 'accounts.id')
    .select([...columns, 'stores.id as storeId', tenantId.as('tenantId')])
    .select(['accounts.id as accountId', 'accounts.email', 'accounts.created_at as accountCreatedAt'])
    .select((eb) => {
      const ofStore = eb.selectFrom('keys').whereRef('keys.store_id', '=', 'stores.id');
      return ofStore.where('keys.session_id', 'is', null).select('keys.id').limit(1).as('anyKeyId');
    })
    .where('sessions.token', '=', p.token),
);

const keySession = query((db, p: { token: string; at: bigint }) =>
  db
    .selectFrom('sessions')
    .innerJoin('keys', 'keys.id', 'sessions.key_id')
    .innerJoin('stores', 'stores.id', 'keys.store_id')
    .select([...columns, 'keys.store_id as storeId', tenantId.as('tenantId')])
    .select(['keys.id as keyId', 'keys.name as keyName', 'keys.last_four as lastFour'])
    .select(['keys.scope', 'keys.expires_at as keyExpiresAt'])
    .where('sessions.token', '=', p.token)
    .where(isActiveAt(p.at)),
);

export const listSessions = query((db, p: { accountId: string; at: bigint }) =>
  db
    .selectFrom('sessions')
    .select([...columns, 'address', 'agent as userAgent'])
    .where('account_id', '=', p.accountId)
    .where('expires_at', '>', p.at)
    .orderBy('seen_at', 'desc')
    .orderBy('id'),
);

type SessionUse = Pick<Schema['sessions'], 'token' | 'expires_at' | 'seen_at' | 'address'>;

const renewSession = verb('renewSession', async (tx, { token, ...use }: SessionUse): Promise<void> => {
  await updateRows(tx, 'sessions', { token }, use);
});
