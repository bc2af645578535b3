import { writeDateTime } from '../http/content/date-time.ts';
import { type Handler, jsonAnswer } from '../http/server/answer.ts';
import { keyOnly, passwordChange, passwordOnly, readSignIn, readSignUp } from './account-bodies.ts';
import type { ConsoleContext, MemberHandler, SessionHandler } from './console-handling.ts';
import { isOfKey } from './session.ts';

/** Signing up, in and out, which needs no session. */
export function visitorRoutes({ accounts, cookies, visitorOf }: ConsoleContext): Record<string, Handler> {
  return {
    async 'POST /sign-up'(request) {
      await accounts.signUp(readSignUp(request.body), visitorOf(request));
      return jsonAnswer({ status: 'accepted' });
    },

    async 'POST /sign-in'(request) {
      const credentials = readSignIn(request.body);
      const held = cookies.session.read(request);
      const { token, mark } = await accounts.signIn(credentials, visitorOf(request), held);
      cookies.session.write(request, token);
      cookies.device.write(request, mark);
      return jsonAnswer({ email: credentials.email });
    },

    async 'POST /open-with-key'(request) {
      const { key } = keyOnly(request.body);
      const held = cookies.session.read(request);
      cookies.session.write(request, await accounts.openWithKey(key, visitorOf(request), held));
      return { status: 204 };
    },

    async 'POST /sign-out'(request) {
      const token = cookies.session.read(request);
      if (token !== undefined) await accounts.signOut(token, visitorOf(request));
      cookies.session.clear(request);
      return { status: 204 };
    },
  };
}

export function accountRoutes(context: ConsoleContext): Record<string, MemberHandler> {
  const { accounts, cookies, visitorOf } = context;
  return {
    async 'POST /sign-out-everywhere'(session, request) {
      await accounts.signOutEverywhere(session, visitorOf(request).address);
      cookies.session.clear(request);
      return { status: 204 };
    },

    async 'POST /change-password'(session, request) {
      const { address } = visitorOf(request);
      const token = await accounts.changePassword(session, passwordChange(request.body), address);
      cookies.session.write(request, token);
      return { status: 204 };
    },

    async 'DELETE /account'(session, request) {
      const { password } = passwordOnly(request.body);
      await accounts.close(session, password, visitorOf(request).address);
      cookies.session.clear(request);
      cookies.device.clear(request);
      return { status: 204 };
    },
  };
}

/** For sessions of an account and of a key. */
export function sessionRoutes(context: ConsoleContext): Record<string, SessionHandler> {
  const { accounts, deployment, servers, visitorOf } = context;
  return {
    async 'GET /session'(session, request) {
      const here = {
        deployment,
        deployments: servers(request).map(({ name, origin }) => ({ name, origin, apiBase: `${origin}/v1` })),
      };
      if (isOfKey(session)) {
        const { keyId: id, keyName: name, lastFour, scope, keyExpiresAt } = session;
        const expiresAt = keyExpiresAt === null ? null : writeDateTime(keyExpiresAt);
        const key = { id, name, lastFour, scope, expiresAt };
        return jsonAnswer({ email: null, createdAt: null, key, ...here, firstKey: null });
      }
      const first = await accounts.firstKey(session, visitorOf(request).address);
      return jsonAnswer({
        email: session.email,
        createdAt: writeDateTime(session.accountCreatedAt),
        key: null,
        ...here,
        firstKey: first
          ? {
              id: first.id,
              name: first.name,
              key: first.key,
              createdAt: writeDateTime(first.createdAt),
              scope: first.scope,
              expiresAt: null,
              lastFour: first.lastFour,
            }
          : null,
      });
    },

    async 'POST /token'(session) {
      const { key, expiresAt } = await accounts.sessionKey(session);
      return jsonAnswer({ key, expiresAt: writeDateTime(expiresAt) });
    },
  };
}
