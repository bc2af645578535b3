import type { FastifyRequest } from 'fastify';
import type { Caller, FindCaller, RefusedKey } from '../../keys/find-caller.ts';
import { ApiError } from '../errors.ts';
import type { Guard } from '../server/guard.ts';

declare module 'fastify' {
  interface FastifyRequest {
    caller: Caller | null;
    /** A key of a store that was refused. */
    refusedKey: RefusedKey | null;
  }
}

const bearer = /^bearer +([^\s]+) *$/i;

/** Lets only requests with a working key pass, whatever they ask for. `whose` tells of one that was refused. */
export function authenticate(
  find: FindCaller,
  whose: (key: string) => Promise<RefusedKey | undefined> = async () => undefined,
): Guard {
  const refuse = async (request: FastifyRequest, key: string): Promise<never> => {
    request.refusedKey = (await whose(key)) ?? null;
    throw challenge('invalid_api_key', ', error="invalid_token"');
  };
  return (request) => {
    const { authorization } = request.headers;
    const key = authorization === undefined ? undefined : bearer.exec(authorization)?.[1];
    if (key === undefined) throw challenge('missing_api_key', '');
    return find(key).then((caller) => {
      if (!caller) return refuse(request, key);
      request.caller = caller;
      return undefined;
    });
  };
}

function challenge(code: 'missing_api_key' | 'invalid_api_key', detail: string): ApiError {
  return new ApiError(code, undefined, ['www-authenticate', `Bearer realm="petstore"${detail}`]);
}

/** Who is asking; only for handlers behind `authenticate`. */
export function callerOf(request: FastifyRequest): Caller {
  if (!request.caller) throw new Error('a handler that needs a caller runs without authentication');
  return request.caller;
}
