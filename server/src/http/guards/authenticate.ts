import type { Caller, FindCaller, RefusedKey } from '../../keys/find-caller.ts';
import { ApiError } from '../errors.ts';
import type { Guard } from '../server/guard.ts';
import type { Request } from '../server/request.ts';

const bearer = /^bearer +([^\s]+) *$/i;

/** Lets only requests with a working key pass, whatever they ask for. `whose` tells of one that was refused. */
export function authenticate(
  find: FindCaller,
  whose: (key: string) => Promise<RefusedKey | undefined> = async () => undefined,
): Guard {
  const refuse = async (request: Request, key: string): Promise<never> => {
    request.refusedKey = (await whose(key)) ?? null;
    throw challenge('invalid_api_key');
  };
  return (request) => {
    const key = keyOf(request);
    if (key === undefined) throw challenge('missing_api_key');
    return find(key).then((caller) => {
      if (!caller) return refuse(request, key);
      request.caller = caller;
      return undefined;
    });
  };
}

/** The key that a request was sent with. */
export function keyOf({ headers: { authorization } }: Request): string | undefined {
  return authorization === undefined ? undefined : bearer.exec(authorization)?.[1];
}

/** What a key that opens nothing, or none at all, is refused with. */
export function challenge(code: 'missing_api_key' | 'invalid_api_key'): ApiError {
  const detail = code === 'invalid_api_key' ? ', error="invalid_token"' : '';
  return new ApiError(code, undefined, ['www-authenticate', `Bearer realm="petstore"${detail}`]);
}

/** Who is asking; only for handlers behind `authenticate`. */
export function callerOf(request: Request): Caller {
  if (!request.caller) throw new Error('a handler that needs a caller runs without authentication');
  return request.caller;
}
