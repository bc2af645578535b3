import { ApiError } from '../errors.ts';
import { clientAddress } from '../server/client-address.ts';
import type { Caller, FindCaller, Guard, RefusedKey, Request } from '../server/request.ts';
import { RefusedKeys } from './refused-keys.ts';

const bearer = /^bearer +([^\s]+) *$/i;

export interface AuthenticateOptions {
  readonly find: FindCaller;
  readonly isKey: (key: string) => boolean;
  readonly findRefused: (key: string) => Promise<RefusedKey | undefined>;
  readonly trustProxy: boolean;
  readonly advice: (request: Request) => string;
}

export function authenticate({ find, isKey, findRefused, trustProxy, advice }: AuthenticateOptions): Guard {
  const refusedKeys = new RefusedKeys();
  return async (request) => {
    const key = keyOf(request);
    if (key === undefined) throw challenge('missing_api_key', advice(request));
    const address = clientAddress(request, trustProxy);
    refusedKeys.check(address, key);
    const caller = await find(key);
    if (!caller) {
      if (isKey(key)) refusedKeys.refused(address);
      request.refusedKey = (await findRefused(key)) ?? null;
      throw challenge('invalid_api_key', advice(request));
    }
    refusedKeys.worked(key);
    request.caller = caller;
  };
}

export function keyOf({ headers: { authorization } }: Request): string | undefined {
  return authorization === undefined ? undefined : bearer.exec(authorization)?.[1];
}

export function challenge(code: 'missing_api_key' | 'invalid_api_key', message?: string): ApiError {
  const detail = code === 'invalid_api_key' ? ', error="invalid_token"' : '';
  return new ApiError(code, message, ['www-authenticate', `Bearer realm="petstore"${detail}`]);
}

export function callerOf(request: Request): Caller {
  if (!request.caller) throw new Error('a handler that needs a caller runs without authentication');
  return request.caller;
}

const safe = new Set(['GET', 'HEAD', 'OPTIONS', 'TRACE']);

export function isSafe({ method }: Request): boolean {
  return safe.has(method);
}

export const refuseChangesToReaders: Guard = (request) => {
  if (callerOf(request).scope === 'read' && !isSafe(request)) throw new ApiError('forbidden');
};
