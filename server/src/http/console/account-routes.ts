import type { FastifyRequest } from 'fastify';
import { writeDateTime } from '../content/date-time.ts';
import { passwordChange, passwordOnly, readSignIn, readSignUp } from './bodies.ts';
import { clientAddress } from './client-address.ts';
import { type ConsoleContext, type ConsoleHandler, signedIn } from './handling.ts';

/** Signing up, in and out, and what becomes of an account. */
export function accountRoutes(context: ConsoleContext): Record<string, ConsoleHandler> {
  const { accounts, cookie, deployment, servers, trustProxy = false } = context;
  const addressOf = (request: FastifyRequest) => clientAddress(request, trustProxy);
  return {
    async 'POST /sign-up'(request, reply) {
      await accounts.signUp(readSignUp(request.body), addressOf(request));
      return reply.send({ status: 'accepted' });
    },

    async 'POST /sign-in'(request, reply) {
      const credentials = readSignIn(request.body);
      cookie.write(reply, await accounts.signIn(credentials, addressOf(request), cookie.read(request)));
      return reply.send({ email: credentials.email });
    },

    async 'POST /sign-out'(request, reply) {
      const token = cookie.read(request);
      if (token !== undefined) await accounts.signOut(token);
      cookie.clear(reply);
      return reply.code(204).send();
    },

    'POST /sign-out-everywhere': signedIn(context, async (session, _, reply) => {
      await accounts.signOutEverywhere(session);
      cookie.clear(reply);
      return reply.code(204).send();
    }),

    'POST /change-password': signedIn(context, async (session, request, reply) => {
      await accounts.changePassword(session, passwordChange(request.body), addressOf(request));
      return reply.code(204).send();
    }),

    'DELETE /account': signedIn(context, async (session, request, reply) => {
      await accounts.close(session, passwordOnly(request.body).password, addressOf(request));
      cookie.clear(reply);
      return reply.code(204).send();
    }),

    'GET /session': signedIn(context, async (session, _, reply) => {
      const first = await accounts.firstKey(session);
      return reply.send({
        email: session.email,
        createdAt: session.accountCreatedAt,
        deployment,
        deployments: servers().map(({ name, origin }) => ({ name, origin, apiBase: `${origin}/v1` })),
        firstKey: first
          ? {
              id: first.id,
              name: first.name,
              key: first.key,
              createdAt: writeDateTime(first.createdAt),
              expiresAt: null,
              lastFour: first.lastFour,
            }
          : null,
      });
    }),

    'POST /token': signedIn(context, async (session, _, reply) => {
      const { key, expiresAt } = await accounts.sessionKey(session);
      return reply.send({ key, expiresAt: writeDateTime(expiresAt) });
    }),
  };
}
