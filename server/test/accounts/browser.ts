import { hash, randomUUID } from 'node:crypto';
import type { PasswordHasher } from '../../src/accounts/passwords.ts';
import type { Response } from '../support/http.ts';
import type { TestService } from '../support/service.ts';

export const PASSWORD = 'tangerine-84-quarry';

/** Instant password hashing and high limits, for tests of other things. */
export const fastAccounts = {
  limits: { perAddress: 100_000, perAccount: 1000 },
  wrapHasher: (): PasswordHasher => ({
    hash: async (password) => hash('sha256', password),
    verify: async (given) => hash('sha256', given.password) === given.hash,
  }),
};

/** A browser with the console open: it stores cookies and sends the origin of its requests. */
export interface Browser {
  readonly cookies: Map<string, string>;
  send(request: string, body?: unknown, headers?: Record<string, string>): Promise<Response>;
}

export function openBrowser({ request, origin }: Pick<TestService, 'request' | 'origin'>): Browser {
  const cookies = new Map<string, string>();
  return {
    cookies,
    async send(call, body, headers = {}) {
      const [method, path] = call.split(' ') as [string, string];
      const cookie = Array.from(cookies, ([name, value]) => `${name}=${value}`).join('; ');
      const response = await request(`${method} /console/api${path}`, {
        headers: {
          ...(method === 'GET' ? {} : { origin }),
          'sec-fetch-site': 'same-origin',
          ...(cookie === '' ? {} : { cookie }),
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
          ...headers,
        },
        ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
      });
      for (const line of response.headers['set-cookie'] ?? []) storeCookie(cookies, line);
      return response;
    },
  };
}

function storeCookie(cookies: Map<string, string>, line: string): void {
  const [pair = '', ...attributes] = line.split('; ');
  const name = pair.slice(0, pair.indexOf('='));
  if (attributes.includes('Max-Age=0')) cookies.delete(name);
  else cookies.set(name, pair.slice(name.length + 1));
}

export function newAddress(): string {
  return `${randomUUID()}@example.com`;
}

export interface KeyView {
  id: string;
  name: string;
  lastFour: string;
  scope: string;
  createdAt: string;
  expiresAt: string | null;
  lastUsedAt: string | null;
  revokedAt: string | null;
  key: string;
}

export interface Member {
  readonly email: string;
  readonly browser: Browser;
}

export interface SessionView {
  email: string;
  createdAt: string;
  deployment: string;
  deployments: Array<{ name: string; origin: string; apiBase: string }>;
  firstKey: KeyView | null;
}

/** Creates an account and signs in. */
export async function signUpAndIn(service: TestService, email = newAddress()): Promise<Member> {
  const browser = openBrowser(service);
  const credentials = { email, password: PASSWORD };
  for (const call of ['POST /sign-up', 'POST /sign-in']) {
    const response = await browser.send(call, credentials);
    if (response.status !== 200) throw new Error(`${call} returned ${response.status} ${response.text}`);
  }
  return { email, browser };
}

/** The account's first key, which is created once. */
export async function firstKey({ browser }: Member): Promise<KeyView> {
  const { firstKey } = (await browser.send('POST /session')).json<SessionView>();
  if (!firstKey) throw new Error('there was no first key');
  return firstKey;
}

export async function listKeys({ browser }: Member): Promise<KeyView[]> {
  return (await browser.send('GET /keys')).json<{ data: KeyView[] }>().data;
}

export async function createKey({ browser }: Member, body: object): Promise<KeyView> {
  const response = await browser.send('POST /keys', body);
  if (response.status !== 201) throw new Error(`POST /keys returned ${response.status} ${response.text}`);
  return response.json<KeyView>();
}

/** The API's status for this key. */
export async function statusOf({ request }: TestService, key: string): Promise<number> {
  return (await request('GET /v1/pets', { key })).status;
}

export function codeOf(response: Response): string {
  return `${response.status} ${response.json<{ code: string }>().code}`;
}
