import { queryOptions } from '@tanstack/react-query';
import type { InspectedRequest } from '../../../client/src/index.ts';
import type { Call } from '../docs/call.ts';
import { client } from './client.ts';

export type { InspectedRequest };

/** Requests that the service stores. */
export const MAX_REQUESTS = 200;
/** Page size of each poll: enough to overlap with the previous poll on a busy store or a slow replica. */
const POLL_LIMIT = 50;
const POLL_MS = 2_000;

const readNewest = async (limit: number, signal: AbortSignal) =>
  (await client.requests({ limit }, { signal })).data;

/** Reads all stored requests at first, then only new ones. */
async function readNewRequests(previous: readonly InspectedRequest[], signal: AbortSignal) {
  const byId = new Map(previous.map((request) => [request.id, request]));
  let found = await readNewest(previous.length === 0 ? MAX_REQUESTS : POLL_LIMIT, signal);
  const overlaps = previous.length === 0 || found.some(({ id }) => byId.has(id));
  if (!overlaps) found = await readNewest(MAX_REQUESTS, signal);
  for (const request of found) byId.set(request.id, request);
  if (byId.size === previous.length) return previous;
  return [...byId.values()].sort((a, b) => (BigInt(a.id) < BigInt(b.id) ? 1 : -1)).slice(0, MAX_REQUESTS);
}

/** The latest requests, newest first; polled every two seconds while visible. */
export const requestsQuery = queryOptions({
  queryKey: ['requests'],
  queryFn: ({ client, signal }) =>
    readNewRequests(client.getQueryData<readonly InspectedRequest[]>(['requests']) ?? [], signal),
  staleTime: 0,
  refetchInterval: POLL_MS,
});

/** Bodies are stored up to this length. */
const MAX_BODY_BYTES = 4096;
export const isTruncated = (body: string | null) =>
  body !== null && new TextEncoder().encode(body).length >= MAX_BODY_BYTES;

/** Headers that a replay leaves out: the HTTP client sets them, and `authorization` gets the current key. */
const omittedHeaders =
  /^(accept-encoding|accept-language|authorization|connection|content-length|cookie|host|keep-alive|origin|priority|referer|sec-.*|traceparent|tracestate|transfer-encoding|user-agent|x-request-id|x-tried-out)$/;

/** The stored request as a call to send again, with the headers that change what it does. Keys are never stored. */
export function replayableCall(
  origin: string,
  { method, path, requestHeaders, requestBody }: InspectedRequest,
): Call {
  const headers = Object.entries(requestHeaders ?? {}).filter(
    ([name, value]) => !omittedHeaders.test(name) && !(name === 'accept' && value === '*/*'),
  );
  return { method, url: origin + path, headers, body: requestBody ?? undefined };
}
