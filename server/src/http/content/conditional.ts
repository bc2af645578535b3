import type { IncomingHttpHeaders } from 'node:http';
import type { Caller } from '../../keys/find-caller.ts';

/**
 * Weak, because the same revision is also sent compressed. The store is part of it: two keys used from one
 * cache never take each other's list for their own.
 */
export function etagOf({ storeId }: Caller, revision: bigint): string {
  return `W/"${storeId.toString(36)}-${revision}"`;
}

export function isNotModified(headers: IncomingHttpHeaders, etag: string): boolean {
  const header = headers['if-none-match'];
  if (header === undefined) return false;
  if (header === etag) return true;
  if (header.trim() === '*') return true;
  const opaque = etag.slice(2);
  return header.split(',').some((tag) => tag.trim().replace(/^W\//, '') === opaque);
}
