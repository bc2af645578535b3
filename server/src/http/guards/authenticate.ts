import type { IncomingMessage } from 'node:http';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Caller, FindCaller, Found } from '../../keys/find-caller.ts';
import { ApiError } from '../errors.ts';

declare module 'fastify' {
  interface FastifyRequest {
    caller: Caller | null;
  }
}

export interface LookedUp {
  readonly error: unknown;
  readonly caller: Caller | undefined;
}

/** Callers that were looked up before their request came here. */
export const lookedUp = new WeakMap<IncomingMessage, LookedUp>();

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
    const found: Found = (error, caller) => {
      if (error !== undefined) return done(error as Error);
      if (!caller) return done(challenge(reply, new ApiError('invalid_api_key')));
      request.caller = caller;
      done();
    };
    const known = lookedUp.get(request.raw);
    if (known) found(known.error, known.caller);
    else find(key, found);
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
