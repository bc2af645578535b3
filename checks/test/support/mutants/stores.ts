import type { BugHooks, CallService, ForwardedRequest, WireResponse } from '../../../src/bugs/bug.ts';
import { rejectWith } from '../../../src/bugs/mutations.ts';
import { authorizationOf, type Mutant, withoutHeader } from './changes.ts';
import { inPage, type Json } from './json-changes.ts';

const seesBodies: Pick<BugHooks, 'request'> = { request: () => {} };
const isSandbox = ({ path }: ForwardedRequest, name: string) => path === `/v2/sandbox/${name}`;

/** Changes the text of requests. */
const inText = (
  isTouched: (forwarded: ForwardedRequest) => boolean,
  change: (body: string) => string,
): Pick<Mutant, 'request'> => ({
  request: (forwarded) => {
    if (isTouched(forwarded)) forwarded.body = change(forwarded.body);
  },
});
const errorOf = (status: number, code: string): WireResponse => ({
  status,
  headers: { 'content-type': 'application/json', 'x-request-id': 'a' },
  body: JSON.stringify({ code, message: 'Rejected.', status }),
});
const isReadOnly = async (callService: CallService) =>
  (await callService('DELETE /v2/store/orders/987654321')).status === 403;

/** Temporary stores, resets, read-only keys and messages to webhooks. */
export const ofStores: readonly Mutant[] = [
  {
    name: 'after the sunset a missing pet is 404',
    noticedBy: 'v1.pets.after-sunset',
    response: (response, { path }) => {
      if (response.status === 410 && path.endsWith('/987654321')) rejectWith(response, 404, 'not_found');
    },
  },
  {
    name: 'a fault without a limit fires once',
    noticedBy: 'v2.faults.unlimited',
    ...inText(
      (forwarded) => isSandbox(forwarded, 'faults'),
      (body) => body.replace('"times":null', '"times":1'),
    ),
  },
  {
    name: 'a fault for every operation hits exports, too',
    noticedBy: 'v2.faults.sandbox',
    ...faultsHitExports(),
  },
  {
    name: 'an order placed in the future ships before that',
    noticedBy: 'v2.faults.now',
    response: (response) => {
      response.body = response.body.replace(
        /"shipDate":"([^"]*)"(?=,"complete":false,"status":"shipped","placedAt":"\1")/g,
        `"shipDate":"${new Date().toISOString()}"`,
      );
    },
  },
  { name: 'the inspector shows secrets of webhooks', noticedBy: 'v2.inspector.no-secret', ...showsSecrets() },
  {
    name: 'a reset lifts the limit of a store',
    noticedBy: 'v2.limits.after-reset',
    ...inText(
      (forwarded) => isSandbox(forwarded, 'reset'),
      (body) => (body.includes('rateLimit') ? body : body.replace(/\}$/, ',"rateLimit":null}')),
    ),
  },
  {
    name: 'HEAD with a read-only key is 403',
    noticedBy: 'v2.read-key.reads',
    async intercept({ method }, callService) {
      if (method !== 'HEAD' || !(await isReadOnly(callService))) return undefined;
      return { ...errorOf(403, 'forbidden'), body: '' };
    },
  },
  {
    name: 'the stream with a read-only key is 403',
    noticedBy: 'v2.read-key.reads',
    async intercept({ path }, callService) {
      if (!path.endsWith('/stream') || !(await isReadOnly(callService))) return undefined;
      return errorOf(403, 'forbidden');
    },
  },
  {
    name: 'the category of a pet is not stored',
    noticedBy: 'all.changes.change-pet.category',
    async request(forwarded, callService) {
      if (forwarded.method !== 'PATCH' || !/^\{"category":"[^"]*"\}$/.test(forwarded.body)) return;
      const { category } = JSON.parse((await callService(`GET ${forwarded.path}`)).body) as Json;
      forwarded.body = JSON.stringify({ category });
    },
    response: (response, { method, body }) => {
      const [, wanted] = /^\{"category":("[^"]*")\}$/.exec(body) ?? [];
      if (method === 'PATCH' && wanted && response.status === 200)
        response.body = response.body.replace(/"category":"[^"]*"/, `"category":${wanted}`);
    },
  },
  {
    name: 'a fault also fires in temporary stores',
    noticedBy: 'v2.stores.faults',
    ...armsInEveryStore(),
  },
  {
    name: 'events are sent without the trace of their request',
    noticedBy: 'v2.webhooks.trace',
    request: withoutHeader('traceparent'),
  },
  {
    name: 'deliveries have no answer',
    noticedBy: 'v2.webhooks.answer',
    response: (response, forwarded, callService) =>
      /\/deliveries(\?|$)/.test(forwarded.path) &&
      inPage((deliveries) =>
        deliveries.map((delivery) => ({
          ...delivery,
          attempts: (delivery.attempts as Json[]).map((attempt) => ({ ...attempt, answer: '' })),
        })),
      ).response?.(response, forwarded, callService),
  },
  {
    name: 'of two fields with the same name the last counts',
    noticedBy: 'all.inputs.duplicate-fields',
    ...inText(
      ({ body }) => body.startsWith('{'),
      (body) => {
        try {
          return JSON.stringify(JSON.parse(body));
        } catch {
          return body;
        }
      },
    ),
  },
  {
    name: 'an empty list of states finds nothing',
    noticedBy: 'all.inputs.fields',
    ...seesBodies,
    response: (response, { method, body }) => {
      if (method === 'QUERY' && body.includes('"status":[]'))
        Object.assign(response, { status: 200, body: '{"data":[],"nextCursor":null}' });
    },
  },
  { name: 'a tag stays valid after a reset', noticedBy: 'v2.sandbox.tags', ...knowsOldTags() },
  {
    name: 'an open stream does not see a reset',
    noticedBy: 'v2.sandbox.stream',
    event: (text) => (text.includes('event: store.reset') ? undefined : text),
  },
  {
    name: 'the history of a demonstration order begins when it shipped',
    noticedBy: 'v2.sandbox.histories',
    response: (response, { path }) => {
      if (response.status !== 200 || !/^\/v2\/store\/orders\/\d\d?\/history$/.test(path)) return;
      const { data, ...rest } = JSON.parse(response.body) as { data: Json[] };
      response.body = JSON.stringify({ data: data.slice(-1), ...rest });
    },
  },
  {
    name: 'an export needs no key',
    noticedBy: 'v2.sandbox.keys',
    response: (response, forwarded) => {
      if (isSandbox(forwarded, 'data') && response.status === 401)
        Object.assign(response, { status: 200, body: '{"pets":[],"orders":[]}' });
    },
  },
  {
    name: 'a pet of another store is found',
    noticedBy: 'v2.stores.others',
    ...inOtherStores('GET', /^\/v2\/pets\/\d+$/, 404),
  },
  {
    name: 'an order may name a pet of another store',
    noticedBy: 'v2.stores.others',
    ...inOtherStores('POST', /^\/v2\/store\/orders$/, 422),
  },
  {
    name: 'a list ends after 5,000 orders',
    noticedBy: 'v2.sandbox.all-of-them',
    response: (response, { path }) => {
      if (path !== '/v1/store/orders' || response.status !== 200) return;
      const orders = response.body.match(/\{[^}]*\}/g) ?? [];
      if (orders.length > 5000) response.body = `[${orders.slice(0, 5000).join()}]`;
    },
  },
  {
    name: 'a store takes any number of pets',
    noticedBy: 'v2.sandbox.full',
    response: (response) => {
      if (response.status === 409 && response.body.includes('pet_limit_reached'))
        Object.assign(response, {
          status: 201,
          body: '{"id":10001,"name":"A","category":"b","status":"sold","stock":0}',
        });
    },
  },
  {
    name: 'an export is shortened to what fits',
    noticedBy: 'v2.sandbox.too-much',
    response: (response, forwarded) => {
      if (isSandbox(forwarded, 'data') && response.status === 409)
        Object.assign(response, { status: 200, body: '{"pets":[],"orders":[]}' });
    },
  },
];

function faultsHitExports(): Pick<Mutant, 'request' | 'response'> {
  let isArmed = false;
  return {
    ...seesBodies,
    response: (response, forwarded) => {
      if (isSandbox(forwarded, 'faults') && forwarded.method !== 'GET')
        isArmed = /"operation": ?"\*"/.test(forwarded.body);
      if (isSandbox(forwarded, 'data') && isArmed) Object.assign(response, errorOf(503, 'unavailable'));
    },
  };
}

function showsSecrets(): Pick<Mutant, 'response'> {
  const secrets = new Map<string, string>();
  return {
    response: (response, { path }) => {
      const [, id, secret] = /^\{"id":"(wh_\w+)".*"secret":"([^"]*)"/.exec(response.body) ?? [];
      if (id && secret) secrets.set(id, secret);
      if (path.startsWith('/v2/store/requests'))
        response.body = response.body.replace(
          /(\{\\"id\\":\\"(wh_\w+)\\".*?)whsec_…/g,
          (_, start: string, webhook: string) => start + secrets.get(webhook),
        );
    },
  };
}

/** Arms each fault in the temporary stores that are open, too. */
function armsInEveryStore(): Pick<Mutant, 'request' | 'response'> {
  const keys = new Set<string>();
  return {
    ...seesBodies,
    async response(response, forwarded, callService) {
      const [, key] = /"key":"([^"]*)"/.exec(response.body) ?? [];
      if (isSandbox(forwarded, 'stores') && key) {
        keys.add(key);
        const armed = JSON.parse((await callService('GET /v2/sandbox/faults')).body) as Json[];
        const rules = JSON.stringify(armed.map(({ fired: _, ...rule }) => rule));
        await callService('PUT /v2/sandbox/faults', rules, `Bearer ${key}`);
      }
      if (isSandbox(forwarded, 'faults') && forwarded.method === 'PUT' && response.status === 200)
        for (const each of keys)
          await callService('PUT /v2/sandbox/faults', forwarded.body, `Bearer ${each}`);
    },
  };
}

/** 304 for every tag that a path has ever had. */
function knowsOldTags(): Pick<Mutant, 'response'> {
  const tags = new Set<string>();
  return {
    response: (response, { path, headers }) => {
      const { etag } = response.headers;
      if (etag) tags.add(`${path} ${etag}`);
      if (response.status === 200 && tags.has(`${path} ${headers['if-none-match']}`))
        Object.assign(response, { status: 304, body: '' });
    },
  };
}

/** Sends a rejected request again with the key that was used before a temporary store was opened. */
function inOtherStores(method: string, path: RegExp, status: number): Pick<Mutant, 'request' | 'response'> {
  let owner: string | undefined;
  return {
    ...seesBodies,
    async response(response, forwarded, callService) {
      if (isSandbox(forwarded, 'stores') && response.status === 201) owner = authorizationOf(forwarded);
      if (forwarded.method !== method || !path.test(forwarded.path) || response.status !== status || !owner)
        return;
      const found = await callService(`${method} ${forwarded.path}`, forwarded.body || undefined, owner);
      if (found.status < 300) Object.assign(response, found);
    },
  };
}
