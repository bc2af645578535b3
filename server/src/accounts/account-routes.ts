import { writeTimes } from '../http/content/date-time.ts';
import { ApiError, refusedAs } from '../http/errors.ts';
import { readQuery } from '../http/fields/parameters.ts';
import { paging } from '../http/pages/paging.ts';
import { jsonAnswer } from '../http/server/request.ts';
import { accountEvents } from '../stores/account-events.ts';
import { readPassword, readPasswordChange } from './account-bodies.ts';
import { changePassword, closeAccount } from './change-account.ts';
import type { ConsoleContext, MemberHandler } from './console-context.ts';
import { refuseWeak } from './passwords.ts';
import { endAllSessions, endOneSession, hashToken, listSessions, newToken } from './sessions.ts';
import { answerTrail } from './trail-paging.ts';

export function accountRoutes(context: ConsoleContext): Record<string, MemberHandler> {
  const { db, writer, cookies, limit, passwords, madeBy, tell, visitorOf, eraseClosed, now } = context;
  return {
    async 'POST /change-password'(request, session) {
      const { currentPassword, newPassword } = await readPasswordChange(request);
      const { id: sessionId, email } = session;
      const { address } = visitorOf(request);
      const attempts = await limit.inSession(sessionId, { address, email });
      refuseWeak(newPassword, email);
      const given = { email, password: currentPassword };
      const { passwordHash: currentHash } = await passwords.check(given, address, 'password_refused');
      if (newPassword.normalize('NFKC') === currentPassword.normalize('NFKC'))
        throw new ApiError('same_password');
      const newHash = await passwords.hash(newPassword, address);
      const token = newToken();
      const by = madeBy(session, request);
      const change = { ...by, currentHash, newHash, sessionId, token: hashToken(token), attempts };
      tell(await writer.apply(changePassword, change).catch(refusedAs('invalid_credentials')));
      cookies.session.write(request, token);
      return { status: 204 };
    },

    async 'DELETE /account'(request, session) {
      const { password } = await readPassword(request);
      const { id, email } = session;
      const { address } = visitorOf(request);
      await limit.inSession(id, { address, email });
      const { passwordHash } = await passwords.check({ email, password }, address, 'password_refused');
      const by = madeBy(session, request);
      const closing = { accountId: by.accountId, passwordHash, at: by.at };
      await writer.apply(closeAccount, closing).catch(refusedAs('invalid_credentials'));
      tell({ ...by, what: 'account_deleted' });
      await eraseClosed();
      cookies.session.clear(request);
      cookies.device.clear(request);
      return { status: 204 };
    },

    async 'GET /sessions'(_, { id: currentId, accountId }) {
      const sessions = await db.all(listSessions, { accountId, at: BigInt(now()) });
      const data = sessions.map((one) => ({ ...writeTimes(one), current: one.id === currentId }));
      return jsonAnswer({ data });
    },

    async 'DELETE /sessions/:sessionId'(request, session) {
      const { sessionId } = request.params as { sessionId: string };
      if (!/^[\w-]{1,64}$/.test(sessionId)) throw new ApiError('not_found');
      tell(await writer.apply(endOneSession, { ...madeBy(session, request), sessionId }));
      if (sessionId === session.id) cookies.session.clear(request);
      return { status: 204 };
    },

    async 'POST /sign-out-everywhere'(request, session) {
      tell(await writer.apply(endAllSessions, madeBy(session, request)));
      cookies.session.clear(request);
      return { status: 204 };
    },

    async 'GET /events'(request, { accountId }) {
      return answerTrail(readQuery(paging, request.query), {
        read: (rows) => db.all(accountEvents, { accountId, ...rows }),
        place: ({ at, id }) => [at, id],
        show: ({ keyId, lastFour, ...event }) => ({
          ...writeTimes(event),
          key: keyId === null ? null : { id: keyId, lastFour },
        }),
      });
    },
  };
}
