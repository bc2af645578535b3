import { ApiError, toApiError } from '../http/errors.ts';
import { type Handler, jsonResponse } from '../http/server/request.ts';
import { findCaller } from '../keys/find-caller.ts';
import { readKey, readSignIn, readSignUp } from './account-bodies.ts';
import { openAccount } from './change-account.ts';
import type { ConsoleContext } from './console-context.ts';
import { rejectWeakPassword } from './passwords.ts';
import {
  endSession,
  hashToken,
  newSession,
  randomId,
  startKeySession,
  startSession,
} from './start-and-end-sessions.ts';

export function visitorRoutes(context: ConsoleContext): Record<string, Handler> {
  const { db, writer, isKey, cookies, limit, passwords, logEvent, clock } = context;
  return {
    async 'POST /sign-up'(request) {
      const { email, password } = await readSignUp(request);
      const { address } = request;
      await limit.signUp({ address, email });
      rejectWeakPassword(password, email);
      await limit.newStore(address);
      const passwordHash = await passwords.hash(password, address);
      const opening = { id: randomId(), email, passwordHash, at: BigInt(clock()), address };
      logEvent(await writer.apply(openAccount, opening));
      return jsonResponse({ status: 'accepted' });
    },

    async 'POST /sign-in'(request) {
      const { email, password } = await readSignIn(request);
      const { address } = request;
      const device = cookies.device.read(request, email);
      const attempts = await limit.signIn({ address, email, device });
      const account = await passwords.check({ email, password }, address, 'sign_in_failed');
      const { token, session } = newSession(request, cookies.session.read(request), BigInt(clock()));
      const start = { ...session, ...account, attempts };
      logEvent(await writer.apply(startSession, start).catch(toApiError('invalid_credentials')));
      cookies.session.write(request, token);
      cookies.device.write(request, email, device);
      return jsonResponse({ email });
    },

    /** Starts a session with the scope of the key, without access to an account. */
    async 'POST /open-with-key'(request) {
      const { key } = await readKey(request);
      await limit.openWithKey(request.address);
      const at = BigInt(clock());
      const caller = await findCaller(db, isKey, key, at);
      // Not with a session's own key: the new session would outlive it.
      if (!caller || caller.sessionId != null) throw new ApiError('invalid_api_key');
      const { token, session } = newSession(request, cookies.session.read(request), at);
      const start = { ...session, keyId: caller.keyId };
      await writer.apply(startKeySession, start).catch(toApiError('invalid_api_key'));
      cookies.session.write(request, token);
      return { status: 204 };
    },

    async 'POST /sign-out'(request) {
      const cookie = cookies.session.read(request);
      if (cookie !== undefined) {
        const end = { token: hashToken(cookie), address: request.address, at: BigInt(clock()) };
        logEvent(await writer.apply(endSession, end));
      }
      cookies.session.clear(request);
      return { status: 204 };
    },
  };
}
