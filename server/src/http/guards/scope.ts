import { ApiError } from '../errors.ts';
import type { Guard } from '../server/guard.ts';
import { callerOf } from './authenticate.ts';

/** Methods that change nothing, as RFC 9110 has them. */
const safe = new Set(['GET', 'HEAD', 'OPTIONS', 'TRACE']);

/** Refuses whatever could change something to a key that may only read, before anyone asks what it is about. */
export const refuseChangesToReaders: Guard = (request) => {
  if (callerOf(request).scope === 'read' && !safe.has(request.method)) throw new ApiError('forbidden');
  return undefined;
};
