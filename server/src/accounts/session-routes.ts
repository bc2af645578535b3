import type { Actor } from '../audit-log/audit-log.ts';
import { ignoreDomainErrors } from '../domain/domain-error.ts';
import { writeDateTime, writeTimes } from '../http/encoding/date-time.ts';
import { toApiError } from '../http/errors.ts';
import { jsonResponse, type Request } from '../http/server/request.ts';
import { createKey, newKey } from '../keys/manage-keys.ts';
import type { ConsoleContext, SessionHandler } from './console-context.ts';
import { type AccountSession, type AnySession, isKeySession } from './find-sessions.ts';
import { mintSessionKey } from './start-and-end-sessions.ts';

const SESSION_KEY_MS = 15n * 60n * 1000n;

type FirstKey = object | null;

export function sessionRoutes(context: ConsoleContext): Record<string, SessionHandler> {
  const { writer, deployment, servers, logEvent, actorOf, clock } = context;

  /** Creates the account's first key; null if it already has one. */
  async function createFirstKey({ storeId, anyKeyId }: AccountSession, actor: Actor) {
    if (anyKeyId !== null) return null;
    const { key, details } = newKey(deployment, 'first key');
    const { name, last_four: lastFour, scope } = details;
    // A limit of one: concurrent requests do not create a second key.
    const first = { storeId, key: details, at: actor.at, maxKeys: 1n, actor };
    const created = await writer.apply(createKey, first).catch(ignoreDomainErrors);
    if (!created) return null;
    logEvent({ ...actor, what: 'key_created', key: { id: created.keyId, lastFour } });
    return writeTimes({
      id: created.keyId,
      name,
      key,
      createdAt: actor.at,
      scope,
      expiresAt: null,
      lastFour,
    });
  }

  const view = (request: Request, session: AnySession, firstKey: FirstKey) => {
    const addresses = {
      deployment,
      deployments: servers(request).map(({ name, origin }) => ({ name, origin, apiBase: `${origin}/v1` })),
    };
    if (isKeySession(session)) {
      const { keyId: id, keyName: name, lastFour, scope, keyExpiresAt: expiresAt } = session;
      const key = writeTimes({ id, name, lastFour, scope, expiresAt });
      return jsonResponse({ email: null, createdAt: null, key, ...addresses, firstKey });
    }
    const createdAt = writeDateTime(session.accountCreatedAt);
    return jsonResponse({ email: session.email, createdAt, key: null, ...addresses, firstKey });
  };

  return {
    'GET /session': (request, session) => view(request, session, null),

    /** The same, and creates the account's first key if it has none yet. */
    async 'POST /session'(request, session) {
      if (isKeySession(session)) return view(request, session, null);
      return view(request, session, await createFirstKey(session, actorOf(session, request)));
    },

    /** Creates a key for the session's API calls. It ends with the session, and has the scope of the key that opened it. */
    async 'POST /token'(_, session) {
      const { id: sessionId, storeId } = session;
      const at = BigInt(clock());
      const [scope, end] = isKeySession(session)
        ? [session.scope, session.keyExpiresAt]
        : ['full' as const, null];
      const defaultEnd = at + SESSION_KEY_MS;
      const expiresAt = end !== null && end < defaultEnd ? end : defaultEnd;
      const { key, details } = newKey(deployment, 'console session', expiresAt, scope);
      const minted = { storeId, sessionId, key: details, at };
      await writer.apply(mintSessionKey, minted).catch(toApiError('not_signed_in'));
      return jsonResponse({ key, expiresAt: writeDateTime(expiresAt) });
    },
  };
}
