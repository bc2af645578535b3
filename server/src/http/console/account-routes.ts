import type { FastifyRequest } from 'fastify';
import { writeDateTime } from '../content/date-time.ts';
import { type Handler, jsonAnswer } from '../server/answer.ts';
import { passwordChange, passwordOnly, readSignIn, readSignUp } from './bodies.ts';
import { clientAddress } from './client-address.ts';
import { type ConsoleContext, signedIn } from './handling.ts';

/** Signing up, in and out, and what becomes of an account. */
export function accountRoutes(context: ConsoleContext): Record<string, Handler> {
  const { accounts, cookie, deployment, servers, trustProxy = false } = context;
  const addressOf = (request: FastifyRequest) => clientAddress(request, trustProxy);
  return {
    async 'POST /sign-up'(request) {
      await accounts.signUp(readSignUp(request.body), addressOf(request));
      return jsonAnswer({ status: 'accepted' });
    },

    async 'POST /sign-in'(request) {
      const credentials = readSignIn(request.body);
      cookie.write(request, await accounts.signIn(credentials, addressOf(request), cookie.read(request)));
      return jsonAnswer({ email: credentials.email });
    },

    async 'POST /sign-out'(request) {
      const token = cookie.read(request);
      if (token !== undefined) await accounts.signOut(token);
      cookie.clear(request);
      return { status: 204 };
    },

    'POST /sign-out-everywhere': signedIn(context, async (session, request) => {
      await accounts.signOutEverywhere(session);
      cookie.clear(request);
      return { status: 204 };
    }),

    'POST /change-password': signedIn(context, async (session, request) => {
      await accounts.changePassword(session, passwordChange(request.body), addressOf(request));
      return { status: 204 };
    }),

    'DELETE /account': signedIn(context, async (session, request) => {
      await accounts.close(session, passwordOnly(request.body).password, addressOf(request));
      cookie.clear(request);
      return { status: 204 };
    }),

    'GET /session': signedIn(context, async (session) => {
      const first = await accounts.firstKey(session);
      return jsonAnswer({
        email: session.email,
        createdAt: writeDateTime(session.accountCreatedAt),
        deployment,
        deployments: servers().map(({ name, origin }) => ({ name, origin, apiBase: `${origin}/v1` })),
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
    }),

    'POST /token': signedIn(context, async (session) => {
      const { key, expiresAt } = await accounts.sessionKey(session);
      return jsonAnswer({ key, expiresAt: writeDateTime(expiresAt) });
    }),
  };
}
