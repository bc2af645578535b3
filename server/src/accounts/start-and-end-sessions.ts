import { hash as digest, randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import { type Actor, saveEvent, saveOwnerEvent } from '../audit-log/audit-log.ts';
import { query } from '../database/query.ts';
import { deleteBatch, deleteRows, insertRow, lockRows } from '../database/rows.ts';
import type { Schema } from '../database/schema.ts';
import { DomainError } from '../domain/domain-error.ts';
import type { Request } from '../http/server/request.ts';
import { isActive, type KeyDetails, saveKey, stateColumns } from '../keys/manage-keys.ts';
import { ensureStore } from '../provisioning/open-store.ts';
import { type AttemptRefund, refundAttempts } from '../rate-limiting/count-attempts.ts';
import { type Transaction, verb } from '../writer/verb.ts';
import { lockAccount } from './change-account.ts';

export const DAY_MS = 24n * 60n * 60n * 1000n;
export const SESSION_MS = 7n * DAY_MS;

type Session = Schema['sessions'];
type Owner = Pick<Session, 'account_id' | 'key_id'>;
/** `replaces` is the token of the browser's current session, which ends as this one starts. */
type NewSession = Omit<Session, keyof Owner> & { readonly replaces: string | null };

const MAX_USER_AGENT_LENGTH = 200;

/** A session for a browser, replacing its current one. The token is only sent to the browser; its hash is stored. */
export function newSession({ address, headers }: Request, cookie: string | undefined, at: bigint) {
  const token = newToken();
  const agent = String(headers['user-agent'] ?? '').slice(0, MAX_USER_AGENT_LENGTH);
  const replaces = cookie === undefined ? null : hashToken(cookie);
  const times = { created_at: at, expires_at: at + SESSION_MS, seen_at: at };
  const session = { id: randomId(), token: hashToken(token), replaces, ...times, address, agent };
  return { token, session };
}

export function newToken(): string {
  return randomBytes(32).toString('base64url');
}

export function hashToken(token: string): string {
  return digest('sha256', token);
}

export function randomId(): string {
  return randomBytes(16).toString('base64url');
}

const MAX_SESSIONS_PER_OWNER = 100;

async function saveSession(tx: Transaction, { replaces, ...session }: NewSession, owner: Owner) {
  if (replaces !== null) await deleteRows(tx, 'sessions', { token: replaces });
  await tx.all(deleteOldestSessions, owner);
  await insertRow(tx, 'sessions', { ...session, ...owner });
}

const deleteOldestSessions = query((_, p: Owner) => {
  const own = sql`(account_id = ${p.account_id} OR key_id = ${p.key_id})`;
  return deleteBatch('sessions', own, { order: 'created_at, id', retained: MAX_SESSIONS_PER_OWNER - 1 });
});

type StartSession = NewSession & { accountId: string; passwordHash: string; attempts: AttemptRefund };

/** Opens the account's store at the first sign-in. */
export const startSession = verb('startSession', async (tx, start: StartSession) => {
  const { accountId, passwordHash, attempts, ...session } = start;
  const { address, created_at: at } = session;
  await lockRows(tx, 'stores', { owner: accountId });
  await lockAccount(tx, accountId, passwordHash);
  await ensureStore(tx, accountId, at);
  await saveSession(tx, session, { account_id: accountId, key_id: null });
  await refundAttempts(tx, attempts);
  return saveEvent(tx, { accountId, address, what: 'signed_in', at });
});

type StartKeySession = NewSession & { keyId: string };

export const startKeySession = verb('startKeySession', async (tx, start: StartKeySession): Promise<void> => {
  const { keyId, ...session } = start;
  const { address, created_at: at } = session;
  // Locked, so that a concurrent revocation ends the session, too.
  const [key] = await lockRows(tx, 'keys', { id: keyId, session_id: null }, stateColumns);
  if (!key || !isActive(key, at)) throw new DomainError('not_found');
  await saveSession(tx, session, { account_id: null, key_id: keyId });
  const opened = { id: keyId, lastFour: key.last_four };
  await saveOwnerEvent(tx, key.store_id, { address, what: 'opened_with_key', at, key: opened });
});

type MintSessionKey = { storeId: bigint; sessionId: string; key: KeyDetails; at: bigint };

/** Per session: each browser tab has its own key. */
const MAX_SESSION_KEYS = 5;

/** Creates a short-lived key that ends with its session. Beyond the limit, deletes the oldest. */
export const mintSessionKey = verb('mintSessionKey', async (tx, minted: MintSessionKey): Promise<void> => {
  const { storeId, sessionId, key, at } = minted;
  await tx.lockStore(storeId);
  const [session] = await lockRows(tx, 'sessions', { id: sessionId }, ['id']);
  if (!session) throw new DomainError('not_found');
  await tx.all(deleteOldestKeys, { sessionId, at });
  await saveKey(tx, storeId, key, at, { sessionId });
});

const deleteOldestKeys = query((_, p: { sessionId: string; at: bigint }) => {
  const active = sql`session_id = ${p.sessionId} AND expires_at > ${p.at}`;
  return deleteBatch('keys', active, { order: 'created_at, id', retained: MAX_SESSION_KEYS - 1 });
});

type EndSession = { token: string; address: string; at: bigint };

export const endSession = verb('endSession', async (tx, { token, address, at }: EndSession) => {
  const [ended] = await deleteRows(tx, 'sessions', { token }, ['account_id']);
  if (!ended?.account_id) return null;
  return saveEvent(tx, { accountId: ended.account_id, address, what: 'signed_out', at });
});

type EndOneSession = Actor & { sessionId: string };

export const endOneSession = verb('endOneSession', async (tx, { sessionId, ...actor }: EndOneSession) => {
  const [ended] = await deleteRows(tx, 'sessions', { account_id: actor.accountId, id: sessionId }, ['id']);
  if (!ended) throw new DomainError('not_found');
  return saveEvent(tx, { ...actor, what: 'session_ended' });
});

export const endAllSessions = verb('endAllSessions', async (tx, actor: Actor) => {
  await deleteRows(tx, 'sessions', { account_id: actor.accountId });
  return saveEvent(tx, { ...actor, what: 'signed_out_everywhere' });
});
