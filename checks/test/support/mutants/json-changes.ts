import type { BugHooks } from '../../../src/bugs/bug.ts';
import { editJson, readJson } from '../../../src/bugs/mutations.ts';

export type Json = Record<string, unknown>;

/** Changes the JSON that is sent where it has this field. */
export const inBody = (change: (body: Json) => void, field: string): BugHooks => ({
  request(forwarded) {
    if (!new RegExp(`^\\{.*"${field}":.*\\}$`).test(forwarded.body)) return;
    const body = readJson(forwarded.body) as Json;
    change(body);
    forwarded.body = JSON.stringify(body);
  },
});

/** Changes the items of a page. */
export const inPage = (change: (items: Json[]) => Json[]): BugHooks =>
  editJson<{ data: Json[] }>(200, (page) => ({ ...page, data: change(page.data) }));
