import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Caller, FindCaller } from '../keys/find-caller.ts';
import { ApiError } from './errors.ts';

declare module 'fastify' {
  interface FastifyRequest {
    caller: Caller | null;
  }
}

const bearer = /^bearer +([^\s]+) *$/i;

/** The key that a request was sent with. */
export function sentKey(authorization: string | undefined): string | undefined {
  return authorization === undefined ? undefined : bearer.exec(authorization)?.[1];
}

/** Lets only requests with a working key pass, whatever they ask for. */
export function authenticate(app: FastifyInstance, find: FindCaller): void {
  app.addHook('onRequest', (request, reply, done) => {
    const key = sentKey(request.headers.authorization);
    if (key === undefined) return done(challenge(reply, new ApiError('missing_api_key')));
    find(key, (error, caller) => {
      if (error !== undefined) return done(error as Error);
      if (!caller) return done(challenge(reply, new ApiError('invalid_api_key')));
      request.caller = caller;
      done();
    });
  });
}

function challenge(reply: FastifyReply, error: ApiError): ApiError {
  const sent = error.code === 'invalid_api_key' ? ', error="invalid_token"' : '';
  reply.header('www-authenticate', `Bearer realm="petstore"${sent}`);
  return error;
}

/** Who is asking; only for handlers behind `authenticate`. */
export function callerOf(request: FastifyRequest): Caller {
  if (!request.caller) throw new Error('a handler that needs a caller runs without authentication');
  return request.caller;
}
