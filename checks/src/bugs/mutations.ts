import type { Breaking, ResponseHead, WireResponse } from './bug.ts';

/** The ways of breaking that several bugs have in common. */

type Json = Record<string, unknown>;

/** Reads and writes JSON digit for digit: an integer that a number would round is carried as it stands. */
export function readJson(text: string): unknown {
  const keep = (_: string, value: unknown, { source = '' }: { source?: string }) =>
    typeof value === 'number' && !Number.isSafeInteger(value) ? exactly.rawJSON(source) : value;
  return JSON.parse(text, keep as (key: string, value: unknown) => unknown);
}
const exactly = JSON as unknown as { rawJSON(text: string): unknown };

/** Changes the JSON of answers with this status. */
export const inJson = <T>(
  status: number,
  change: (json: T, response: WireResponse) => unknown,
): Breaking => ({
  response(response) {
    if (response.status !== status) return;
    const json = readJson(response.body) as T;
    response.body = JSON.stringify(change(json, response) ?? json);
  },
});

/** Changes every element of the array that answers with 200. */
export const inEach = (change: (item: Json) => unknown): Breaking =>
  inJson<Json[]>(200, (list) => void list.forEach(change));

/** Changes the head of answers with this status. */
export const inHead = (status: number, change: (response: ResponseHead) => unknown): Breaking => ({
  head(response) {
    if (response.status === status) change(response);
  },
});

/** Makes the answer another refusal. */
export function refuse(response: WireResponse, status: number, code: string): void {
  response.status = status;
  response.body = response.body
    .replace(/"status":\d+/, `"status":${status}`)
    .replace(/"code":"\w+"/, `"code":"${code}"`);
}

/** An answer without a body, as after a change. */
export const noContent = (): WireResponse => ({ status: 204, headers: {}, body: '' });

/** Makes the answer one without a body. */
export function succeed(response: WireResponse): void {
  response.status = 204;
  response.body = '';
  delete response.headers['content-length'];
  delete response.headers['content-type'];
}

/** The id that a path ends with, or has before `/ship` and the like. */
export const idIn = (path: string): string => /\/([^/?]+)(?:\/[a-z]+)?(?:\?|$)/.exec(path)?.[1] ?? '';
