import type { Origin } from '../audit-log/audit-log.ts';
import { ignoreDomainErrors } from '../domain/domain-error.ts';
import { writeDateTime, writeTimes } from '../http/encoding/date-time.ts';
import { toApiError } from '../http/errors.ts';
import { jsonResponse } from '../http/server/request.ts';
import { createKey, newKey } from '../keys/manage-keys.ts';
import type { ConsoleContext, SessionHandler } from './console-context.ts';
import { type AccountSession, isOfKey } from './find-sessions.ts';
import { mintSessionKey } from './start-and-end-sessions.ts';

const SESSION_KEY_MS = 15n * 60n * 1000n;

export function sessionRoutes(context: ConsoleContext): Record<string, SessionHandler> {
  const { writer, deployment, servers, tell, createdBy, clock } = context;

  /** The account's first key, for the first who asks; null for everyone after. */
  async function firstKeyOf({ storeId, anyKeyId }: AccountSession, by: Origin) {
    if (anyKeyId !== null) return null;
    const { key, details } = newKey(deployment, 'first key');
    const { name, last_four: lastFour, scope } = details;
    // Of those who ask at the same moment, all but one are refused: they would make a second one.
    const first = { storeId, key: details, at: by.at, most: 1n, by };
    const made = await writer.apply(createKey, first).catch(ignoreDomainErrors);
    if (!made) return null;
    tell({ ...by, what: 'key_created', key: { id: made.keyId, lastFour } });
    return writeTimes({ id: made.keyId, name, key, createdAt: by.at, scope, expiresAt: null, lastFour });
  }

  return {
    async 'GET /session'(request, session) {
      const here = {
        deployment,
        deployments: servers(request).map(({ name, origin }) => ({ name, origin, apiBase: `${origin}/v1` })),
      };
      if (isOfKey(session)) {
        const { keyId: id, keyName: name, lastFour, scope, keyExpiresAt: expiresAt } = session;
        const key = writeTimes({ id, name, lastFour, scope, expiresAt });
        return jsonResponse({ email: null, createdAt: null, key, ...here, firstKey: null });
      }
      // A page that only asks who is signed in leaves the first key to the one that shows it.
      const isLater = request.query === 'firstKey=later';
      const firstKey = isLater ? null : await firstKeyOf(session, createdBy(session, request));
      const createdAt = writeDateTime(session.accountCreatedAt);
      return jsonResponse({ email: session.email, createdAt, key: null, ...here, firstKey });
    },

    /** A key for the session's calls of the API, which ends with it, and may do no more than the key that opened it. */
    async 'POST /token'(_, session) {
      const { id: sessionId, storeId } = session;
      const at = BigInt(clock());
      const [scope, end] = isOfKey(session) ? [session.scope, session.keyExpiresAt] : ['full' as const, null];
      const usual = at + SESSION_KEY_MS;
      const expiresAt = end !== null && end < usual ? end : usual;
      const { key, details } = newKey(deployment, 'console session', expiresAt, scope);
      const minted = { storeId, sessionId, key: details, at };
      await writer.apply(mintSessionKey, minted).catch(toApiError('not_signed_in'));
      return jsonResponse({ key, expiresAt: writeDateTime(expiresAt) });
    },
  };
}
