import { queryOptions } from '@tanstack/react-query';
import type { InspectedRequest } from '../../../client/src/index.ts';
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

const inShell = (text: string) => `'${text.replaceAll("'", `'\\''`)}'`;

/** Bodies are stored up to this length. */
const MAX_BODY_BYTES = 4096;
export const isCut = (body: string | null) =>
  body !== null && new TextEncoder().encode(body).length >= MAX_BODY_BYTES;

/** The request as a curl command. Keys are never stored, so it reads the key from a variable. */
export function curlOf(origin: string, { method, path, requestBody }: InspectedRequest): string {
  const verb = method === 'GET' ? '' : method === 'HEAD' ? '--head ' : `-X ${method} `;
  const parts = [
    `curl ${verb}${inShell(origin + path)}`,
    `-H "Authorization: Bearer $PETSTORE_KEY"`,
    ...(requestBody === null
      ? []
      : [`-H 'Content-Type: application/json'`, `--data-raw ${inShell(requestBody)}`]),
  ];
  return parts.join(' \\\n  ');
}
