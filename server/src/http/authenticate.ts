import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Database } from '../database/engine.ts';
import type { DeploymentName } from '../deployment.ts';
import { type Caller, callerFinder } from '../keys/find-caller.ts';
import { ApiError } from './errors.ts';

declare module 'fastify' {
  interface FastifyRequest {
    caller: Caller | null;
  }
}

const bearer = /^bearer +([^\s]+) *$/i;

/** Lets only requests with a working key pass, whatever they ask for. */
export function authenticate(
  app: FastifyInstance,
  { db, deployment, now }: { db: Database; deployment: DeploymentName; now: () => number },
): void {
  const find = callerFinder(db, deployment, now);
  app.addHook('onRequest', async (request, reply) => {
    const key = bearer.exec(request.headers.authorization ?? '')?.[1];
    if (key === undefined) throw challenge(reply, new ApiError('missing_api_key'));
    const caller = await find(key);
    if (!caller) throw challenge(reply, new ApiError('invalid_api_key'));
    request.caller = caller;
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
