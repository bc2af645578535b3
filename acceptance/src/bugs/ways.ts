import type { Answered, AnsweredHead, Breaking } from './bug.ts';

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
export const inJson = <T>(status: number, change: (json: T, answered: Answered) => unknown): Breaking => ({
  answer(answered) {
    if (answered.status !== status) return;
    const json = readJson(answered.body) as T;
    answered.body = JSON.stringify(change(json, answered) ?? json);
  },
});

/** Changes every element of the array that answers with 200. */
export const inEach = (change: (item: Json) => unknown): Breaking =>
  inJson<Json[]>(200, (list) => void list.forEach(change));

/** Changes the head of answers with this status. */
export const inHead = (status: number, change: (answered: AnsweredHead) => unknown): Breaking => ({
  head(answered) {
    if (answered.status === status) change(answered);
  },
});

/** Makes the answer another refusal. */
export function refuse(answered: Answered, status: number, code: string): void {
  answered.status = status;
  answered.body = answered.body
    .replace(/"status":\d+/, `"status":${status}`)
    .replace(/"code":"\w+"/, `"code":"${code}"`);
}

/** An answer without a body, as after a change. */
export const noContent = (): Answered => ({ status: 204, headers: {}, body: '' });

/** Makes the answer one without a body. */
export function succeed(answered: Answered): void {
  answered.status = 204;
  answered.body = '';
  delete answered.headers['content-length'];
  delete answered.headers['content-type'];
}

/** The id that a path ends with, or has before `/ship` and the like. */
export const idIn = (path: string): string => /\/([^/?]+)(?:\/[a-z]+)?(?:\?|$)/.exec(path)?.[1] ?? '';
