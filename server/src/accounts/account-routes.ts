import { accountEvents, type PagePosition } from '../audit-log/audit-log.ts';
import { writeTimes } from '../http/encoding/date-time.ts';
import { ApiError, toApiError } from '../http/errors.ts';
import { type QueryOf, readQuery } from '../http/fields/parameters.ts';
import { DEFAULT_LIMIT, paging } from '../http/pages/paging.ts';
import { jsonResponse, type Request, type Response } from '../http/server/request.ts';
import { createKey, listStoreKeys, newKey, revokeStoreKey, rollKey } from '../keys/manage-keys.ts';
import { STATIC_KEY_ID, STATIC_KEY_IS_FIXED } from '../provisioning/static-key.ts';
import { keyState, newKeyReader, readPassword, readPasswordChange, readRoll } from './account-bodies.ts';
import { changePassword, closeAccount } from './change-account.ts';
import type { AccountHandler, ConsoleContext } from './console-context.ts';
import { listSessions } from './find-sessions.ts';
import { rejectWeakPassword } from './passwords.ts';
import { endAllSessions, endOneSession, hashToken, newToken } from './start-and-end-sessions.ts';

/** After a time later than any other. */
const FIRST_PAGE = { afterAt: 2n ** 62n, afterId: '' };
const overlapsMs = { now: 0n, '1h': 3_600_000n, '24h': 24n * 3_600_000n };

/** The account, its sessions and the keys of its store. Only the response that creates a key contains it. */
export function accountRoutes(context: ConsoleContext): Record<string, AccountHandler> {
  const { db, writer, deployment, quotas, keyUse, eraseClosed, clock } = context;
  const { cookies, limit, passwords, logEvent, actorOf } = context;
  const readNewKey = newKeyReader(clock);
  return {
    async 'POST /change-password'(request, session) {
      const { currentPassword, newPassword } = await readPasswordChange(request);
      const { id: sessionId, email } = session;
      const { address } = request;
      const attempts = await limit.inSession(sessionId, { address, email });
      rejectWeakPassword(newPassword, email);
      const given = { email, password: currentPassword };
      const { passwordHash: currentHash } = await passwords.check(given, address, 'password_refused');
      if (newPassword.normalize('NFKC') === currentPassword.normalize('NFKC'))
        throw new ApiError('same_password');
      const newHash = await passwords.hash(newPassword, address);
      const token = newToken();
      const actor = actorOf(session, request);
      const change = { ...actor, currentHash, newHash, sessionId, token: hashToken(token), attempts };
      logEvent(await writer.apply(changePassword, change).catch(toApiError('invalid_credentials')));
      cookies.session.write(request, token);
      return { status: 204 };
    },

    async 'DELETE /account'(request, session) {
      const { password } = await readPassword(request);
      const { id, email } = session;
      const { address } = request;
      await limit.inSession(id, { address, email });
      const { passwordHash } = await passwords.check({ email, password }, address, 'password_refused');
      const actor = actorOf(session, request);
      const closing = { accountId: actor.accountId, passwordHash, at: actor.at };
      await writer.apply(closeAccount, closing).catch(toApiError('invalid_credentials'));
      logEvent({ ...actor, what: 'account_deleted' });
      // Not awaited: it may have other stores to erase first.
      void eraseClosed();
      cookies.session.clear(request);
      cookies.device.clear(request);
      return { status: 204 };
    },

    async 'GET /sessions'(_, { id: currentId, accountId }) {
      const sessions = await db.all(listSessions, { accountId, at: BigInt(clock()) });
      const data = sessions.map((session) => ({ ...writeTimes(session), current: session.id === currentId }));
      return jsonResponse({ data });
    },

    async 'DELETE /sessions/:sessionId'(request, session) {
      const { sessionId } = request.params as { sessionId: string };
      if (!/^[\w-]{1,64}$/.test(sessionId)) throw new ApiError('not_found');
      logEvent(await writer.apply(endOneSession, { ...actorOf(session, request), sessionId }));
      if (sessionId === session.id) cookies.session.clear(request);
      return { status: 204 };
    },

    async 'POST /sign-out-everywhere'(request, session) {
      logEvent(await writer.apply(endAllSessions, actorOf(session, request)));
      cookies.session.clear(request);
      return { status: 204 };
    },

    async 'GET /events'(request, { accountId }) {
      return respondNewestFirst(readQuery(paging, request.query), {
        read: (page) => db.all(accountEvents, { accountId, ...page }),
        position: ({ at, id }) => [at, id],
        show: ({ keyId, lastFour, ...event }) => ({
          ...writeTimes(event),
          key: keyId === null ? null : { id: keyId, lastFour },
        }),
      });
    },

    async 'GET /keys'(request, { storeId }) {
      const { state = '', ...query } = readQuery({ ...paging, state: keyState }, request.query);
      const lastUse = keyUse.lastUseMerger();
      return respondNewestFirst(query, {
        read: (page) => db.all(listStoreKeys, { storeId, state, at: BigInt(clock()), ...page }),
        position: ({ createdAt, id }) => [createdAt, id],
        show: (key) => showKey({ ...key, lastUsedAt: lastUse(key.id, key.lastUsedAt) }),
      });
    },

    async 'POST /keys'(request, session) {
      const { name, expiresAt = null, scope = 'full' } = await readNewKey(request);
      const { key, details } = newKey(deployment, name, expiresAt, scope);
      const { last_four: lastFour } = details;
      const actor = actorOf(session, request);
      const { at } = actor;
      const change = { storeId: session.storeId, key: details, at, maxKeys: quotas.keys, actor };
      const { keyId: id } = await writer.apply(createKey, change);
      logEvent({ ...actor, what: 'key_created', key: { id, lastFour } });
      return jsonResponse({ ...showKey({ id, name, lastFour, scope, createdAt: at, expiresAt }), key }, 201);
    },

    async 'POST /keys/:keyId/roll'(request, session) {
      const replaced = keyIdOf(request);
      const overlapMs = overlapsMs[(await readRoll(request)).overlap];
      const { key, details: successor } = newKey(deployment, '');
      const { last_four: lastFour } = successor;
      const actor = actorOf(session, request);
      const own = { ...actor, storeId: session.storeId, keyId: replaced };
      const change = { ...own, overlapMs, successor, maxKeys: quotas.keys };
      const { keyId, ...inherited } = await writer.apply(rollKey, change);
      logEvent({ ...actor, what: 'key_rolled', key: { id: keyId, lastFour } });
      return jsonResponse(
        { ...showKey({ id: keyId, lastFour, createdAt: actor.at, ...inherited }), key },
        201,
      );
    },

    async 'DELETE /keys/:keyId'(request, session) {
      const own = { ...actorOf(session, request), storeId: session.storeId, keyId: keyIdOf(request) };
      logEvent(await writer.apply(revokeStoreKey, own));
      return { status: 204 };
    },
  };
}

function keyIdOf(request: Request): string {
  const { keyId } = request.params as { keyId: string };
  if (keyId === STATIC_KEY_ID) throw new ApiError('forbidden', STATIC_KEY_IS_FIXED);
  if (!/^key_\w{1,40}$/.test(keyId)) throw new ApiError('not_found');
  return keyId;
}

function showKey(key: object): object {
  return writeTimes({ replacedBy: null, lastUsedAt: null, revokedAt: null, ...key });
}

/** A list, newest first; its cursor contains `position`. */
interface NewestFirst<Row> {
  read(page: PagePosition): Promise<readonly Row[]>;
  position(row: Row): [at: bigint, id: string];
  show(row: Row): object;
}

async function respondNewestFirst<Row>(
  { limit = BigInt(DEFAULT_LIMIT), cursor }: QueryOf<typeof paging>,
  { read, position, show }: NewestFirst<Row>,
): Promise<Response> {
  const found = await read({ ...parseCursor(cursor), limit: limit + 1n });
  const page = found.slice(0, Number(limit));
  const last = found.length > page.length ? page.at(-1) : undefined;
  const nextCursor = last === undefined ? null : position(last).join('.');
  return jsonResponse({ data: page.map(show), nextCursor });
}

function parseCursor(cursor: string | undefined): Omit<PagePosition, 'limit'> {
  if (cursor === undefined) return FIRST_PAGE;
  const [, at, id] = /^(\d{1,18})\.([\w-]{1,64})$/.exec(cursor) ?? [];
  if (at === undefined || id === undefined) throw new ApiError('invalid_cursor');
  return { afterAt: BigInt(at), afterId: id };
}
