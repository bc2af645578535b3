import { queryOptions } from '@tanstack/react-query';
import type { InspectedRequest } from '../../../client/src/index.ts';
import type { Call } from '../docs/call.ts';
import { client } from './client.ts';

export type { InspectedRequest };

/** Requests that the service stores. */
export const MAX_REQUESTS = 200;
/** Page size of each poll: enough to overlap with the last one on a busy store or a slow replica. */
const LOOK = 50;
const LOOK_MS = 2_000;

const newest = async (limit: number, signal: AbortSignal) =>
  (await client.requests({ limit }, { signal })).data;

/** Reads all stored requests at first, then only new ones. */
async function readOn(known: readonly InspectedRequest[], signal: AbortSignal) {
  const byId = new Map(known.map((request) => [request.id, request]));
  let found = await newest(known.length === 0 ? MAX_REQUESTS : LOOK, signal);
  const isFollowed = known.length === 0 || found.some(({ id }) => byId.has(id));
  if (!isFollowed) found = await newest(MAX_REQUESTS, signal);
  for (const request of found) byId.set(request.id, request);
  if (byId.size === known.length) return known;
  return [...byId.values()].sort((a, b) => (BigInt(a.id) < BigInt(b.id) ? 1 : -1)).slice(0, MAX_REQUESTS);
}

/** The latest requests, newest first; polled every two seconds while visible. */
export const requestsQuery = queryOptions({
  queryKey: ['requests'],
  queryFn: ({ client, signal }) =>
    readOn(client.getQueryData<readonly InspectedRequest[]>(['requests']) ?? [], signal),
  staleTime: 0,
  refetchInterval: LOOK_MS,
});

/** Bodies are stored up to this length. */
const MAX_BODY_BYTES = 4096;
export const isCut = (body: string | null) =>
  body !== null && new TextEncoder().encode(body).length >= MAX_BODY_BYTES;

/** Set by every HTTP client itself, or replaced by the key that sends the call. */
const ownOfClient =
  /^(accept-encoding|accept-language|authorization|connection|content-length|cookie|host|keep-alive|origin|priority|referer|sec-.*|traceparent|tracestate|transfer-encoding|user-agent|x-request-id|x-tried-out)$/;

/** The request as it was sent, with all headers that change what it does. Keys are never stored. */
export function callOf(
  origin: string,
  { method, path, requestHeaders, requestBody }: InspectedRequest,
): Call {
  const headers = Object.entries(requestHeaders ?? {}).filter(
    ([name, value]) => !ownOfClient.test(name) && !(name === 'accept' && value === '*/*'),
  );
  return { method, url: origin + path, headers, body: requestBody ?? undefined };
}
