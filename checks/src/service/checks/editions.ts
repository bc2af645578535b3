import { Inconclusive, type Suite } from '../check.ts';
import type { Context } from '../context.ts';
import { at, type Json, serversOf } from '../document.ts';
import { ensure, equal, expectStatus, headerOf } from '../expect.ts';
import { parseExact } from '../json.ts';
import { resolved } from './table/values.ts';

const editions = {
  '/openapi.json': /^3\.1\./,
  '/openapi-3.0.json': /^3\.0\./,
  '/openapi-3.2.json': /^3\.2\./,
};

/** The documents generated from one source, and the catalog that links to them. */
export function editionChecks(suite: Suite, { client, v2 }: Context): void {
  const { check } = suite.section('all.editions', 'Documents of both versions in every edition');
  const root = client.v2.replace(/\/v2$/, '');
  const read = async (prefix: string, path: string) => {
    const response = await client.send({ prefix, path, key: null });
    expectStatus(response, 200);
    return { response, document: parseExact(response.text) as Json };
  };

  check('openapi', 'OpenAPI 3.0, 3.1 and 3.2 of a version have the same operations and schemas', async () => {
    await v2.require();
    for (const prefix of [`${root}/v1`, client.v2]) {
      const found = [];
      for (const [path, version] of Object.entries(editions)) {
        if (prefix.endsWith('v1') && path.includes('3.2')) continue;
        const { document, response } = await read(prefix, path);
        ensure(version.test(String(document.openapi)), String(version), document.openapi, response.request);
        const servers = serversOf(document).map((server) => new URL(server, client.base).pathname);
        equal(new Set(servers), new Set([prefix]), 'the paths of servers', response.request);
        const calls = Object.entries(at(document, 'paths')).flatMap(([name, item]) =>
          Object.keys(item as Json)
            .filter((method) => /^(get|put|post|delete|patch)$/.test(method))
            .map((method) => `${method} ${name}`),
        );
        found.push([calls.sort(), Object.keys(at(document, 'components', 'schemas')).sort()]);
      }
      const [first] = found;
      for (const [calls, schemas = []] of found) {
        equal(calls, first?.[0], 'the operations', prefix);
        // OpenAPI 3.2 has one more schema, for event types added later.
        const missing = first?.[1]?.filter((name) => !schemas.includes(name));
        equal(missing, [], 'schemas that are missing:', prefix);
      }
    }
  });
  check(
    'for-generators',
    '“Only the OpenAPI 3.2 edition lists `HEAD`, `QUERY`”, `X-Request-Id` and `Prefer`; requests are closed, `ErrorCode` is open',
    async () => {
      await v2.require();
      for (const [path, version] of Object.entries(editions)) {
        const { document, response } = await read(client.v2, path);
        const where = response.request;
        const items = Object.values(at(document, 'paths')) as Json[];
        const isComplete = version === editions['/openapi-3.2.json'];
        for (const method of ['head', 'query'])
          equal(
            items.some((item) => method in item),
            isComplete,
            `operations with ${method}:`,
            where,
          );
        const names = (Object.values(at(document, 'components', 'parameters')) as Json[]).map(
          ({ name }) => name,
        );
        for (const name of ['X-Request-Id', 'Prefer'])
          equal(names.includes(name), isComplete, `a parameter ${name}:`, where);
        const headers = Object.keys(at(document, 'components', 'headers'));
        equal(headers.includes('PreferenceApplied'), isComplete, 'a header Preference-Applied:', where);
        const code = at(document, 'components', 'schemas', 'ErrorCode');
        const fields = ['type', 'enum', 'x-extensible-enum'].filter((name) => name in code);
        equal(fields, ['type', 'x-extensible-enum'], 'the fields of ErrorCode', where);
        for (const operation of items.flatMap((item) => Object.values(item) as Json[])) {
          const content = at(operation, 'requestBody', 'content', 'application/json');
          const schema = resolved((content.schema ?? { type: 'none' }) as Json, document);
          if (schema.type === 'object')
            equal(schema.additionalProperties, false, 'additionalProperties', String(operation.operationId));
        }
      }
    },
  );
  check('asyncapi', 'the AsyncAPI document is served, without a key', async () => {
    await v2.require();
    const { document } = await read(client.v2, '/asyncapi.json');
    ensure(/^3\./.test(String(document.asyncapi)), 'AsyncAPI 3', document.asyncapi);
  });
  check(
    'api-catalog',
    '`/.well-known/api-catalog` lists both versions; every document in it exists',
    async () => {
      await v2.require();
      const { response, document } = await read(root, '/.well-known/api-catalog');
      const type = headerOf(response, 'Content-Type');
      ensure(type.startsWith('application/linkset+json'), 'application/linkset+json', type, response.request);
      const links = (document.linkset ?? []) as Record<string, { href: string }[] | string>[];
      if (links.length === 0) throw new Inconclusive('the catalog is empty');
      const anchors = links.map(({ anchor }) => new URL(String(anchor)).pathname);
      for (const path of [`${root}/v1`, client.v2])
        ensure(anchors.includes(path), `the anchor ${path}`, anchors, response.request);
      const targets = links.flatMap((link) =>
        ['service-desc', 'service-doc', 'status'].flatMap((name) =>
          Array.isArray(link[name]) ? link[name] : [],
        ),
      );
      for (const { href } of targets) {
        const { pathname } = new URL(href);
        const call = { prefix: '', path: pathname, key: null, isUnrecorded: true };
        expectStatus(await client.send(call), 200);
      }
    },
  );
}
