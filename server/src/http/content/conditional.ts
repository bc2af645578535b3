import type { IncomingHttpHeaders } from 'node:http';
import type { Caller } from '../../keys/find-caller.ts';

/** By caller, whom all requests of one turn with the same key share. */
const tags = new WeakMap<Caller, string>();

/**
 * The tag of a store at the revision that the caller has seen. Weak, because the same revision is also sent
 * compressed. The store is part of it: two keys used from one cache never take each other's list for their own.
 */
export function etagOf(caller: Caller): string {
  let tag = tags.get(caller);
  if (tag === undefined) {
    tag = etagAt(caller, caller.revision);
    tags.set(caller, tag);
  }
  return tag;
}

export function etagAt({ storeId }: Caller, revision: bigint): string {
  return `W/"${storeId.toString(36)}-${revision}"`;
}

export function isNotModified(headers: IncomingHttpHeaders, etag: string): boolean {
  const header = headers['if-none-match'];
  if (header === undefined) return false;
  if (header === etag) return true;
  if (header.trim() === '*') return true;
  const opaque = etag.replace(/^W\//, '');
  return header.split(',').some((tag) => tag.trim().replace(/^W\//, '') === opaque);
}
