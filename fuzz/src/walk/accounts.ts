/** An account with a session, and a key to its store. */
export interface Person {
  readonly origin: string;
  readonly email: string;
  readonly cookie: string;
  readonly key: string;
}

export interface RequestOptions {
  readonly method?: string;
  readonly key?: string | undefined;
  readonly cookie?: string | undefined;
  readonly body?: unknown;
  readonly type?: string | undefined;
}

/** One request; a redirection is a response like any other. */
export function sendRequest(
  origin: string,
  path: string,
  { method = 'GET', key, cookie, body, type }: RequestOptions = {},
): Promise<Response> {
  return fetch(origin + path, {
    method,
    redirect: 'manual',
    headers: {
      ...(path.startsWith('/console/api') && { origin }),
      ...(key !== undefined && { authorization: `Bearer ${key}` }),
      ...(cookie !== undefined && { cookie }),
      ...(body !== undefined && { 'content-type': type ?? 'application/json' }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
}

/** The JSON of a response. Throws if the request does not succeed. */
export async function requestJson<T>(origin: string, path: string, options: RequestOptions = {}): Promise<T> {
  const response = await sendRequest(origin, path, options);
  const text = await response.text();
  if (!response.ok) throw new Error(`${options.method ?? 'GET'} ${path} returned ${response.status} ${text}`);
  return (text === '' ? undefined : JSON.parse(text)) as T;
}

export const PASSWORD = 'tangerine-84-quarry';
let created = 0;

export interface Credentials {
  readonly email: string;
  readonly password: string;
}

export function newCredentials(): Credentials {
  return { email: `walk-${process.pid}-${created++}@example.com`, password: PASSWORD };
}

export async function signUp(origin: string): Promise<Credentials> {
  const body = newCredentials();
  await requestJson(origin, '/console/api/sign-up', { method: 'POST', body });
  return body;
}

export async function signUpAndIn(origin: string): Promise<Person> {
  const body = await signUp(origin);
  const response = await sendRequest(origin, '/console/api/sign-in', { method: 'POST', body });
  if (!response.ok) throw new Error(`sign-in returned ${response.status} ${await response.text()}`);
  const cookie = cookieOf(response);
  const { firstKey } = await requestJson<{ firstKey: { key: string } }>(origin, '/console/api/session', {
    method: 'POST',
    body: {},
    cookie,
  });
  return { origin, email: body.email, cookie, key: firstKey.key };
}

/** The same store, opened with the key instead. */
export async function openWithKey(person: Person): Promise<Person> {
  const { origin, key } = person;
  const response = await sendRequest(origin, '/console/api/open-with-key', { method: 'POST', body: { key } });
  if (!response.ok) throw new Error(`open-with-key returned ${response.status} ${await response.text()}`);
  return { ...person, cookie: cookieOf(response) };
}

/** Signs in to the account again; returns the new session's ID. */
export async function createSession({ origin, email, cookie }: Person): Promise<string> {
  await requestJson(origin, '/console/api/sign-in', { method: 'POST', body: { email, password: PASSWORD } });
  const { data } = await requestJson<{ data: { id: string; current: boolean }[] }>(
    origin,
    '/console/api/sessions',
    {
      cookie,
    },
  );
  return data.find(({ current }) => !current)?.id ?? '';
}

function cookieOf(response: Response): string {
  return (response.headers.getSetCookie()[0] ?? '').split(';')[0] ?? '';
}

export function createKey({ origin, cookie }: Person, body: object): Promise<{ id: string; key: string }> {
  return requestJson(origin, '/console/api/keys', {
    method: 'POST',
    cookie,
    body: { name: 'walk', ...body },
  });
}

/** A key that has just expired. It is created with a lifetime that is doubled until the expiry is still ahead when the request arrives. */
export async function createExpiredKey(person: Person): Promise<string> {
  let key = '';
  for (let ms = 1000; key === ''; ms *= 2) {
    const expiresAt = new Date(Date.now() + ms).toISOString();
    const created = await createKey(person, { expiresAt }).catch((error) => {
      if (ms > 60_000) throw error;
    });
    key = created?.key ?? '';
  }
  while ((await sendRequest(person.origin, '/v1/pets/1', { key })).status !== 401)
    await new Promise((next) => setTimeout(next, 50));
  return key;
}

export async function createRevokedKey(person: Person): Promise<string> {
  const { id, key } = await createKey(person, {});
  await requestJson(person.origin, `/console/api/keys/${id}`, { method: 'DELETE', cookie: person.cookie });
  return key;
}
