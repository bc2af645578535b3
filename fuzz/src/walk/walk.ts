import { randomInt } from 'node:crypto';
import { crc32 } from 'node:zlib';
import type { Program, StartedDeployment } from '../program/start-program.ts';
import {
  type Credentials,
  createExpiredKey,
  createKey,
  createRevokedKey,
  createSession,
  newCredentials,
  openWithKey,
  type Person,
  requestJson,
  sendRequest,
  signUp,
  signUpAndIn,
} from './accounts.ts';
import { agentRoutes, consoleRoutes, documentedRoutes, openRoutes, type Route } from './routes.ts';

/** All callers, in this order: those to be rejected come before the store's owner. */
export const visitors = [
  'no key',
  'malformed key',
  'unknown key',
  'expired key',
  'revoked key',
  'key of the other deployment',
  'key of another store',
  'session of another account',
  'own session',
  'session opened with own key',
  'own key',
] as const;
type Visitor = (typeof visitors)[number];

export interface Visit {
  readonly route: Route;
  readonly statuses: Readonly<Record<Visitor, number>>;
}

/** Contained in everything in the store that must stay private. */
const MARK = 'only-of-this-store';

export const isOwner = (visitor: Visitor) => /\bown\b/.test(visitor);

/** Calls every route as every caller. Throws if private data leaks. */
export async function walk({ deployments }: Pick<Program, 'deployments'>): Promise<Visit[]> {
  const [production, staging] = deployments as [StartedDeployment, StartedDeployment];
  const { origin } = production;
  const owner = await signUpAndIn(origin);
  const other = await signUpAndIn(origin);
  const keys: Partial<Record<Visitor, string>> = {
    'malformed key': `${owner.key.slice(0, -1)}${owner.key.endsWith('A') ? 'B' : 'A'}`,
    'unknown key': generateKey(),
    'expired key': await createExpiredKey(owner),
    'revoked key': await createRevokedKey(owner),
    'key of the other deployment': staging.key,
    'key of another store': other.key,
    'own key': owner.key,
  };
  const sessions: Partial<Record<Visitor, Person>> = {
    'session of another account': other,
    'own session': owner,
    'session opened with own key': await openWithKey(owner),
  };

  const visits: Visit[] = [];
  for (const route of [
    ...(await documentedRoutes(origin)),
    ...agentRoutes,
    ...consoleRoutes,
    ...openRoutes,
  ]) {
    const path = await createPath(route, owner);
    const accounts: Credentials[] = [];
    const statuses = {} as Record<Visitor, number>;
    for (const visitor of visitors) {
      const known = sessions[visitor];
      const person = route.ends && known ? await createSessionFor(visitor, owner) : known;
      const body =
        route.credentials === 'key'
          ? { key: owner.key }
          : route.credentials
            ? await credentialsFor(route.credentials, origin, accounts)
            : route.body;
      const { method, type } = route;
      const response = await sendRequest(origin, path, {
        method,
        type,
        body,
        key: keys[visitor],
        cookie: person?.cookie,
      });
      statuses[visitor] = response.status;
      if ((await textOf(response)).includes(MARK) && !isOwner(visitor))
        throw new Error(`${visitor} sees the store at ${route.method} ${path}`);
    }
    visits.push({ route, statuses });
  }
  return visits;
}

/** An event stream has no end to wait for: its status is enough. */
async function textOf(response: Response): Promise<string> {
  if (response.headers.get('content-type') !== 'text/event-stream') return response.text();
  await response.body?.cancel();
  return '';
}

/** A session that the request may end: of the owner's key, or of a new account. */
async function createSessionFor(visitor: Visitor, owner: Person): Promise<Person> {
  return visitor === 'session opened with own key' ? openWithKey(owner) : signUpAndIn(owner.origin);
}

/** The number of sign-ins to one account that stays below every limit. */
const MAX_SIGN_INS = 4;

async function credentialsFor(
  kind: 'new' | 'known',
  origin: string,
  accounts: Credentials[],
): Promise<Credentials> {
  if (kind === 'new') return newCredentials();
  // Each account is used for as many sign-ins as the limits permit.
  const account = accounts.pop();
  if (account) return account;
  const credentials = await signUp(origin);
  accounts.push(...Array.from({ length: MAX_SIGN_INS - 1 }, () => credentials));
  return credentials;
}

/** The route's path, with the ID of a resource created in the owner's store, which no other store has. */
async function createPath({ template, method }: Route, owner: Person): Promise<string> {
  const call = <T>(path: string, body?: object) =>
    requestJson<T>(owner.origin, path, { method: 'POST', key: owner.key, body });
  const pet = async () =>
    (await call<{ id: number }>('/v2/pets', { name: MARK, category: 'walk', stock: 10 })).id;
  const order = async () =>
    (await call<{ id: number }>('/v2/store/orders', { petId: await pet(), quantity: 1 })).id;
  if (template.includes('{petId}')) {
    // Low IDs exist in every store; this one does not.
    for (let i = 0; i < 3; i++) await pet();
    return template.replace('{petId}', String(await pet()));
  }
  if (template.includes('{orderId}')) {
    const id = await order();
    if (template.endsWith('/deliver')) await call(`/v2/store/orders/${id}/ship`);
    return template.replace('{orderId}', String(id));
  }
  if (template.includes('{keyId}'))
    return template.replace('{keyId}', (await createKey(owner, { name: MARK })).id);
  if (template.includes('{webhookId}')) {
    const { id } = await call<{ id: string }>('/v2/webhooks', { url: `http://127.0.0.1:9/${MARK}` });
    const delivery = await call<{ id: string }>(`/v2/webhooks/${id}/test`);
    return template.replace('{webhookId}', id).replace('{deliveryId}', delivery.id);
  }
  if (template.includes('{sessionId}')) return template.replace('{sessionId}', await createSession(owner));
  // A list has to contain the mark.
  if (method === 'GET') await pet();
  return template;
}

const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

/** A made-up key with a valid format and checksum. */
function generateKey(): string {
  const body = `pst_live_${Array.from({ length: 32 }, () => BASE62[randomInt(62)]).join('')}`;
  let rest = crc32(body);
  let sum = '';
  for (let i = 0; i < 6; i++) {
    sum = BASE62[rest % 62] + sum;
    rest = Math.floor(rest / 62);
  }
  return body + sum;
}
