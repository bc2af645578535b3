import type { Breaking } from '../../../src/bugs/bug.ts';
import { inJson, readJson } from '../../../src/bugs/mutations.ts';

export type Json = Record<string, unknown>;

/** Changes the JSON that is sent where it has this field. */
export const inBody = (change: (body: Json) => void, field: string): Breaking => ({
  request(asked) {
    if (!new RegExp(`^\\{.*"${field}":.*\\}$`).test(asked.body)) return;
    const body = readJson(asked.body) as Json;
    change(body);
    asked.body = JSON.stringify(body);
  },
});

/** Changes the items of a page. */
export const inPage = (change: (items: Json[]) => Json[]): Breaking =>
  inJson<{ data: Json[] }>(200, (page) => ({ ...page, data: change(page.data) }));
