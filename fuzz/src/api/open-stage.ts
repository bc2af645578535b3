import { consoleOperations } from './console-operations.ts';
import { fetchDocument } from './operations.ts';
import type { Stage, Store } from './stage.ts';

export interface Target {
  readonly origin: string;
  readonly key: string;
}

const prefixes = ['/v1', '/v2'];
const PASSWORD = 'tangerine-84-quarry';

/** Reads the OpenAPI documents. If this run started the service (`isOwn`), also signs up for a second store on each target. */
export async function openStage(targets: readonly Target[], isOwn: boolean): Promise<Stage> {
  const [first] = targets;
  if (!first) throw new Error('there is no deployment to fuzz');
  const documents = await Promise.all(prefixes.map((prefix) => fetchDocument(first.origin, prefix)));
  const given = await Promise.all(
    targets.map(({ origin, key }) =>
      withCursors({ origin, key, mark: 0, cookie: undefined, keyId: undefined }),
    ),
  );
  const others = isOwn ? await Promise.all(targets.map(({ origin }) => signUp(origin))) : [];
  return {
    documents,
    operations: [...documents.flatMap(({ operations }) => operations), ...(isOwn ? consoleOperations : [])],
    stores: [...given, ...others],
    isOwn,
  };
}

async function withCursors({ origin, key, ...store }: Omit<Store, 'cursors'>): Promise<Store> {
  const cursors = new Map<string, string>();
  for (const path of ['/store/orders', '/pets']) {
    const response = await fetch(`${origin}/v2${path}?limit=2`, {
      headers: { authorization: `Bearer ${key}` },
    });
    const { nextCursor } = (await response.json()) as { nextCursor?: string | null };
    if (nextCursor) cursors.set(path, nextCursor);
  }
  return { origin, key, ...store, cursors };
}

/** Creates an account with a store, a session, and an expendable key. */
async function signUp(origin: string): Promise<Store> {
  const credentials = { email: `fuzz-${Date.now()}@example.com`, password: PASSWORD };
  await sendRequest(origin, 'POST', '/sign-up', credentials);
  const signedIn = await sendRequest(origin, 'POST', '/sign-in', credentials);
  const cookie = (signedIn.headers.getSetCookie()[0] ?? '').split(';')[0] ?? '';
  const session = (await (await sendRequest(origin, 'POST', '/session', {}, cookie)).json()) as {
    firstKey: { key: string };
  };
  const spare = (await (await sendRequest(origin, 'POST', '/keys', { name: 'spare' }, cookie)).json()) as {
    id: string;
  };
  return withCursors({ origin, key: session.firstKey.key, mark: 1, cookie, keyId: spare.id });
}

async function sendRequest(
  origin: string,
  method: string,
  path: string,
  body?: object,
  cookie?: string,
): Promise<Response> {
  const response = await fetch(`${origin}/console/api${path}`, {
    method,
    headers: { origin, 'content-type': 'application/json', ...(cookie === undefined ? {} : { cookie }) },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  if (!response.ok) throw new Error(`${method} ${path} returned ${response.status} ${await response.text()}`);
  return response;
}
