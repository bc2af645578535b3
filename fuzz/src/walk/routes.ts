import { PASSWORD } from './accounts.ts';

/** One route of the program, with a request that succeeds for permitted callers. */
export interface Route {
  readonly group: string;
  readonly method: string;
  /** With `{parameters}`, as in the documents. */
  readonly template: string;
  readonly body?: unknown;
  readonly type?: string;
  /** True if the request ends the session: each caller is then given one of its own. */
  readonly ends?: boolean;
  /** The source of the credentials in the body: a new account, an account without a session, or the owner's key. */
  readonly credentials?: 'new' | 'known' | 'key';
}

type Json = Record<string, unknown>;

const methods = ['get', 'query', 'put', 'post', 'patch', 'delete'];

/** Every operation of both documents, as the running program publishes them. QUERY is only in the OpenAPI 3.2 edition. */
export async function documentedRoutes(origin: string): Promise<Route[]> {
  const found = ['/v1', '/v2'].map(async (prefix) => {
    const document = (await (await fetch(`${origin}${prefix}/openapi-3.2.json`)).json()) as {
      paths: Record<string, Json>;
    };
    return Object.entries(document.paths).flatMap(([path, item]) =>
      methods
        .filter((method) => item[method])
        .map((method) => routeOf(prefix, path, method, item[method] as Json)),
    );
  });
  return (await Promise.all(found)).flat();
}

function routeOf(prefix: string, path: string, method: string, operation: Json): Route {
  const content = (operation.requestBody as { content: Record<string, { example?: unknown }> } | undefined)
    ?.content;
  const [type] = Object.keys(content ?? {});
  const route = { group: prefix.slice(1), method: method.toUpperCase(), template: prefix + path };
  return type === undefined ? route : { ...route, type, body: content?.[type]?.example };
}

const json = 'application/json';

/** Requests of the console's pages. A test compares this list with the program's routes. */
export const consoleRoutes: readonly Route[] = [
  { method: 'POST', template: '/sign-up', type: json, credentials: 'new' as const },
  { method: 'POST', template: '/sign-in', type: json, credentials: 'known' as const, ends: true },
  { method: 'POST', template: '/open-with-key', type: json, credentials: 'key' as const, ends: true },
  { method: 'POST', template: '/sign-out', ends: true },
  { method: 'POST', template: '/sign-out-everywhere', ends: true },
  {
    method: 'POST',
    template: '/change-password',
    type: json,
    body: { currentPassword: PASSWORD, newPassword: 'marmalade-29-ladder' },
    ends: true,
  },
  { method: 'DELETE', template: '/account', type: json, body: { password: PASSWORD }, ends: true },
  { method: 'GET', template: '/session' },
  { method: 'POST', template: '/session' },
  { method: 'GET', template: '/sessions' },
  { method: 'DELETE', template: '/sessions/{sessionId}' },
  { method: 'GET', template: '/events' },
  { method: 'POST', template: '/token' },
  { method: 'GET', template: '/keys' },
  { method: 'POST', template: '/keys', type: json, body: { name: 'walk' } },
  { method: 'POST', template: '/keys/{keyId}/roll', type: json, body: { overlap: '1h' } },
  { method: 'DELETE', template: '/keys/{keyId}' },
].map((route) => ({ ...route, group: 'console', template: `/console/api${route.template}` }));

/** The endpoint for agents, which takes the same keys: a call of a tool that reads from the store. */
export const agentRoutes: readonly Route[] = [
  {
    group: 'agents',
    method: 'POST',
    template: '/mcp',
    type: json,
    body: { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'listPets', arguments: {} } },
  },
];

const bothFormats = (path: string) => [`${path}.json`, `${path}.yaml`];

/** Pages, documents and machine-readable routes: the same for every caller. */
export const openRoutes: readonly Route[] = [
  ...[
    '/',
    '/console',
    '/console/orders',
    '/docs',
    '/docs/',
    '/docs/decisions',
    '/docs/migration',
    '/guides',
    '/guides/errors',
  ].map((template) => ({
    group: 'pages',
    template,
  })),
  ...[
    ...['/v1/openapi', '/v2/openapi'].flatMap((document) =>
      ['', '-3.0', '-3.2'].flatMap((edition) => bothFormats(document + edition)),
    ),
    ...bothFormats('/v2/asyncapi'),
    '/v2/arazzo.yaml',
    ...['fern', 'openapi-generator-rust', 'speakeasy', 'stainless'].map(
      (name) => `/v2/overlays/${name}.yaml`,
    ),
    '/llms.txt',
    '/.well-known/api-catalog',
  ].map((template) => ({
    group: 'documents',
    template,
  })),
  ...['/healthz', '/readyz', '/metrics'].map((template) => ({ group: 'operations', template })),
].map((route) => ({ ...route, method: 'GET' }));
