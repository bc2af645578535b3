import { once, type Suite } from '../../check.ts';
import type { Context } from '../../context.ts';
import { equal, expectError, expectNoBody, expectStatus, headerOf, membersOf } from '../../expect.ts';
import type { Response } from '../../http.ts';
import { type Operation, operationsOf, type Samples, samplePath } from './operations.ts';

const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'QUERY'];
const REQUEST_ID = 'acceptance.1-2_3';

/** Headers that browsers need for every operation, even if undocumented. */
const alwaysAllowed = ['authorization', 'content-type', 'x-request-id', 'prefer', 'traceparent'];

/** Each has only one of the two headers that make `OPTIONS` a preflight. */
const partialPreflights: readonly Record<string, string>[] = [
  { Origin: 'https://shop.example' },
  { 'Access-Control-Request-Method': 'GET' },
  { 'Access-Control-Request-Method': 'GET', 'Access-Control-Request-Headers': 'authorization' },
];

/** Every method on every path. */
export function everyMethodChecks(suite: Suite, context: Context, samples: () => Promise<Samples>): void {
  const { check } = suite.section('all.operations', 'Every operation of the documents');
  const { client } = context;
  const all = once(() => operationsOf(context));
  /** Every path outside the sandbox, with the methods that it has. */
  const eachPath = async (test: (path: string, operations: readonly Operation[]) => Promise<void>) => {
    const paths = Map.groupBy(await all(), ({ prefix, path }) => `${prefix} ${path}`);
    for (const operations of paths.values()) {
      const [first] = operations;
      const path = first && samplePath(first, await samples());
      if (path !== undefined && !path.startsWith('/sandbox')) await test(path, operations);
    }
  };
  const expectMethods = (response: Response, header: string, operations: readonly Operation[]) => {
    const methodsOfPath = operations.map(({ method }) => method.toLowerCase());
    const expected = methodsOfPath.includes('get') ? [...methodsOfPath, 'head'] : methodsOfPath;
    const named = membersOf(response, header).filter((name) => name !== 'options');
    equal(named.sort(), expected.sort(), header, response.request);
  };

  check('other-methods', 'a method that a path does not have is 405, and `Allow` names those it has', () =>
    eachPath(async (path, operations) => {
      const [{ prefix } = { prefix: '' }] = operations;
      for (const method of methods.filter((name) => !operations.some((one) => one.method === name))) {
        const response = await client.send({ method, prefix, path });
        expectError(response, 405, 'method_not_allowed');
        expectMethods(response, 'Allow', operations);
      }
    }),
  );
  check('preflight', 'a preflight needs no key, has no body, and allows the methods that the path has', () =>
    eachPath(async (path, operations) => {
      for (const { prefix, method } of operations) {
        const response = await client.send({
          method: 'OPTIONS',
          prefix,
          path,
          key: null,
          headers: { Origin: 'https://shop.example', 'Access-Control-Request-Method': method },
        });
        expectStatus(response, 204);
        expectNoBody(response);
        const origin = headerOf(response, 'Access-Control-Allow-Origin');
        equal(origin, '*', 'Access-Control-Allow-Origin', response.request);
        expectMethods(response, 'Access-Control-Allow-Methods', operations);
        const allowed = membersOf(response, 'Access-Control-Allow-Headers');
        const missing = [...alwaysAllowed, ...operations.flatMap(headersOf)].filter(
          (n) => !allowed.includes(n),
        );
        equal(missing, [], 'headers that are not allowed:', response.request);
        headerOf(response, 'Access-Control-Max-Age');
      }
    }),
  );
  check(
    'no-preflight',
    '`OPTIONS` with only one of the headers of a preflight needs a key, and is 405, for every path',
    () =>
      eachPath(async (path, operations) => {
        const [{ prefix } = { prefix: '' }] = operations;
        for (const headers of partialPreflights) {
          const call = { method: 'OPTIONS', prefix, path, headers };
          expectError(await client.send({ ...call, key: null }), 401, 'missing_api_key');
          const response = await client.send(call);
          expectError(response, 405, 'method_not_allowed');
          expectMethods(response, 'Allow', operations);
        }
      }),
  );
  check('request-id', 'the response repeats the `X-Request-Id` of the request, for every operation', () =>
    eachPath(async (path, operations) => {
      for (const { prefix, method } of operations) {
        const headers = { 'X-Request-Id': REQUEST_ID };
        const response = await client.send({ method, prefix, path, key: null, headers });
        equal(headerOf(response, 'X-Request-Id'), REQUEST_ID, 'X-Request-Id', response.request);
      }
    }),
  );
  check('head-of-stream', 'HEAD of the stream has its status and headers, and ends', () =>
    eachPath(async (path, [first]) => {
      if (!first || !path.endsWith('/stream')) return;
      const response = await client.send({ method: 'HEAD', prefix: first.prefix, path });
      expectStatus(response, 200);
      equal(headerOf(response, 'Content-Type').split(';')[0], 'text/event-stream', 'content type');
    }),
  );
}

/** The names of the documented header parameters, in lower case. */
function headersOf({ definition }: Operation): string[] {
  const parameters = Array.isArray(definition.parameters) ? definition.parameters : [];
  return parameters.flatMap(({ in: place, name }) =>
    place === 'header' ? [String(name).toLowerCase()] : [],
  );
}
