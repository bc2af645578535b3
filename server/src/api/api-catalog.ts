import type { Servers } from '../http/server/addresses.ts';
import type { Routes } from '../http/server/routes.ts';

const PATH = '/.well-known/api-catalog';
const TYPE = 'application/linkset+json; profile="https://www.rfc-editor.org/info/rfc9727"';
const headers = ['access-control-allow-origin', '*', 'cache-control', 'no-cache', 'vary', 'Host'];

/** RFC 9727: the APIs of this service and their documents, for clients that know only its address. */
export function serveApiCatalog(routes: Routes, servers: Servers): void {
  const respond = (origin: string) => ({
    status: 200,
    headers: [...headers, 'content-type', TYPE, 'link', `<${PATH}>; rel="api-catalog"`],
    body: JSON.stringify({ linkset: linksetAt(origin) }, null, 2),
  });
  routes.serve(PATH, { GET: [(request) => respond(servers(request)[0].origin)] });
}

function linksetAt(origin: string): object[] {
  const link = (path: string, type: string) => [{ href: origin + path, type }];
  const api = (path: string, descriptions: Array<readonly [path: string, type: string]>, docs: string) => ({
    anchor: origin + path,
    'service-desc': descriptions.flatMap(([at, type]) => link(at, type)),
    'service-doc': link(docs, 'text/html'),
    status: link('/readyz', 'application/json'),
  });
  const openApi = (version: string) => [
    [`/${version}/openapi.json`, 'application/json'] as const,
    [`/${version}/openapi.yaml`, 'application/yaml'] as const,
  ];
  const apis = [
    api('/v1', openApi('v1'), '/docs/v1'),
    api('/v2', openApi('v2'), '/docs/v2'),
    api('/v2/store/events/stream', [['/v2/asyncapi.json', 'application/json']], '/docs/v2#streamEvents'),
    { anchor: `${origin}/mcp`, 'service-doc': link('/llms.txt', 'text/plain') },
  ];
  const items = [...apis.map(({ anchor }) => ({ href: anchor })), ...link('/docs', 'text/html')];
  return [{ anchor: origin + PATH, item: items, 'service-doc': link('/docs', 'text/html') }, ...apis];
}
