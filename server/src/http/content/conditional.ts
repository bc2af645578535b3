import type { IncomingHttpHeaders } from 'node:http';
import { callerOf } from '../guards/caller.ts';
import type { Answer, Caller, Request } from '../server/request.ts';

/** Weak, because it is also sent compressed. The store is part of it, for whoever caches for two keys. */
export function etagOf(caller: Caller, revision = caller.revision): string {
  return `W/"${caller.storeId.toString(36)}-${revision}"`;
}

export function isNotModified(headers: IncomingHttpHeaders, etag: string): boolean {
  const header = headers['if-none-match'];
  if (header === undefined) return false;
  if (header.trim() === '*') return true;
  const opaque = etag.replace(/^W\//, '');
  return header.split(',').some((tag) => tag.trim().replace(/^W\//, '') === opaque);
}

export function notModified(request: Request): Answer | undefined {
  const etag = etagOf(callerOf(request));
  request.answerHeaders.push('etag', etag);
  return isNotModified(request.headers, etag) ? { status: 304 } : undefined;
}
