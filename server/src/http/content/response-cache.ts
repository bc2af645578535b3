import { LRUCache } from 'lru-cache';
import { callerOf } from '../guards/caller.ts';
import type { Request } from '../server/request.ts';
import { type Encoding, notModified } from './negotiation.ts';

/** A body as it is sent, of its store at this revision or a later one. */
export interface CachedResponse {
  readonly revision: bigint;
  readonly bytes: Buffer;
  readonly encoding: Encoding | 'identity';
}

export type ResponseCache = LRUCache<string, CachedResponse>;

/** What an answer takes beside its bytes: its name, and its place. */
const ENTRY_BYTES = 1_000;

export function openResponseCache(budget: number): ResponseCache {
  const sizeCalculation = ({ bytes }: CachedResponse) => bytes.length + ENTRY_BYTES;
  return new LRUCache({ maxSize: Math.max(1, Math.floor(budget)), sizeCalculation });
}

export function findCached(
  responses: ResponseCache,
  name: string,
  revision: bigint,
): CachedResponse | undefined {
  const kept = responses.get(name);
  return kept && kept.revision >= revision ? kept : undefined;
}

/** Node cuts small buffers out of larger ones, which would stay as long as the answer does. */
export function cachedText(revision: bigint, text: string): CachedResponse {
  const bytes = Buffer.allocUnsafeSlow(Buffer.byteLength(text));
  bytes.write(text);
  return { revision, bytes, encoding: 'identity' };
}

type Write = () => Promise<string>;

/** Answers with an order or a pet, which is read and written once for each revision of its store. */
export async function respondFromCache(
  request: Request,
  responses: ResponseCache,
  what: string,
  write: Write,
) {
  const { storeId, revision } = callerOf(request);
  const name = `${what} ${storeId}`;
  let kept = findCached(responses, name, revision);
  if (!kept) {
    kept = cachedText(revision, await write());
    responses.set(name, kept);
  }
  const headers = ['content-type', 'application/json'];
  return notModified(request) ?? { status: 200, headers, body: kept.bytes };
}
