import { ApiError } from '../errors.ts';
import type { Guard, Request } from '../server/request.ts';
import { callerOf } from './authenticate.ts';

const safe = new Set(['GET', 'HEAD', 'OPTIONS', 'TRACE']);

export function isSafe({ method }: Request): boolean {
  return safe.has(method);
}

export const refuseChangesToReaders: Guard = (request) => {
  if (callerOf(request).scope === 'read' && !isSafe(request)) throw new ApiError('forbidden');
};
