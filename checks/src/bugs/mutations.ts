import type { BugHooks, ResponseHead, WireResponse } from './bug.ts';

/** Mutations shared by several bugs. */

type Json = Record<string, unknown>;

/** Parses JSON. Integers beyond 2^53 keep their digits when it is serialized again. */
export function readJson(text: string): unknown {
  const exact = (_: string, value: unknown, { source = '' }: { source?: string }) =>
    typeof value === 'number' && !Number.isSafeInteger(value) ? rawJSON(source) : value;
  return JSON.parse(text, exact as (key: string, value: unknown) => unknown);
}
const { rawJSON } = JSON as unknown as { rawJSON(text: string): unknown };

/** Changes the JSON of responses with this status. */
export const editJson = <T>(
  status: number,
  change: (json: T, response: WireResponse) => unknown,
): BugHooks => ({
  response(response) {
    if (response.status !== status) return;
    const json = readJson(response.body) as T;
    response.body = JSON.stringify(change(json, response) ?? json);
  },
});

/** Changes every element of an array in a 200 response. */
export const editEach = (change: (item: Json) => unknown): BugHooks =>
  editJson<Json[]>(200, (list) => void list.forEach(change));

/** Changes the head of responses with this status. */
export const editHead = (status: number, change: (response: ResponseHead) => unknown): BugHooks => ({
  head(response) {
    if (response.status === status) change(response);
  },
});

/** Replaces the response with another error. */
export function rejectWith(response: WireResponse, status: number, code: string): void {
  response.status = status;
  response.body = response.body
    .replace(/"status":\d+/, `"status":${status}`)
    .replace(/"code":"\w+"/, `"code":"${code}"`);
}

/** A response without a body, as after a change. */
export const noContent = (): WireResponse => ({ status: 204, headers: {}, body: '' });

/** Turns a response into a 204 without a body. */
export function succeed(response: WireResponse): void {
  response.status = 204;
  response.body = '';
  delete response.headers['content-length'];
  delete response.headers['content-type'];
}

/** The ID at the end of a path, or before `/ship` and the like. */
export const idIn = (path: string): string => /\/([^/?]+)(?:\/[a-z]+)?(?:\?|$)/.exec(path)?.[1] ?? '';
