import { ApiError } from '../errors.ts';
import type { Caller, Guard, Request } from '../server/request.ts';

const bearer = /^bearer\s+(.+)$/i;

export function bearerToken({ headers: { authorization } }: Request): string | undefined {
  return authorization === undefined ? undefined : bearer.exec(authorization)?.[1];
}

export function challenge(code: 'missing_api_key' | 'invalid_api_key', message?: string): ApiError {
  const detail = code === 'invalid_api_key' ? ', error="invalid_token"' : '';
  return new ApiError(code, message, ['www-authenticate', `Bearer realm="petstore"${detail}`]);
}

export function callerOf(request: Request): Caller {
  if (!request.caller) throw new Error('handler requires authentication');
  return request.caller;
}

const safe = new Set(['GET', 'HEAD', 'QUERY', 'OPTIONS', 'TRACE']);

export function isSafe({ method }: Request): boolean {
  return safe.has(method);
}

export const rejectChangesByReadOnlyKeys: Guard = (request) => {
  if (callerOf(request).scope === 'read' && !isSafe(request)) throw new ApiError('forbidden');
};
