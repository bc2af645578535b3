import { writeDateTime } from '../http/content/date-time.ts';
import { ApiError } from '../http/errors.ts';
import { readQuery } from '../http/fields/query.ts';
import { paging } from '../http/pages/paging.ts';
import { jsonAnswer } from '../http/server/answer.ts';
import { accountEvents } from '../stores/account-events.ts';
import type { ConsoleContext, MemberHandler } from './console-handling.ts';
import { pageFrom, pageOf } from './trail-paging.ts';

export function trailRoutes({
  accounts,
  cookies,
  db,
  visitorOf,
}: ConsoleContext): Record<string, MemberHandler> {
  return {
    async 'GET /sessions'(session) {
      const sessions = await accounts.listSessions(session);
      const data = sessions.map(({ id, createdAt, expiresAt, seenAt, address, agent }) => ({
        id,
        createdAt: writeDateTime(createdAt),
        lastSeenAt: writeDateTime(seenAt),
        expiresAt: writeDateTime(expiresAt),
        address,
        userAgent: agent,
        current: id === session.id,
      }));
      return jsonAnswer({ data });
    },

    async 'DELETE /sessions/:sessionId'(session, request) {
      const { sessionId } = request.params as { sessionId: string };
      if (!/^[\w-]{1,64}$/.test(sessionId)) throw new ApiError('not_found');
      await accounts.endSession(session, sessionId, visitorOf(request).address);
      if (sessionId === session.id) cookies.session.clear(request);
      return { status: 204 };
    },

    async 'GET /events'({ accountId }, request) {
      const { limit, afterAt, afterId } = await pageFrom(readQuery(paging, request.query));
      const found = await db.all(accountEvents, { accountId, afterAt, afterId, limit: limit + 1n });
      const events = pageOf(found, limit, ({ at, id }) => [at, id]);
      const data = events.data.map(({ id, at, what, keyId, lastFour, address }) => ({
        id,
        at: writeDateTime(at),
        what,
        key: keyId === null ? null : { id: keyId, lastFour },
        address,
      }));
      return jsonAnswer({ data, nextCursor: events.nextCursor });
    },
  };
}
