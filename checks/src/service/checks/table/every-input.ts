import { Inconclusive, once, type Suite } from '../../check.ts';
import type { Context } from '../../context.ts';
import { at, type Json } from '../../document.ts';
import { ensure, equal, expectError, expectSameBody, expectStatus } from '../../expect.ts';
import type { Call, Response } from '../../http.ts';
import { objectOf } from '../../v2.ts';
import { callOf, isStream, type Operation, operationsOf, type Samples, samplePath } from './operations.ts';
import { unescapeToken } from './schema.ts';
import {
  listedValues,
  outermostValues,
  resolved,
  severalViolationsOf,
  violationsOf,
  wrongTexts,
} from './values.ts';

const json = { 'Content-Type': 'application/json' };
const otherTypes = [
  'text/plain',
  'application/x-www-form-urlencoded',
  'application/jsonp',
  'application/xml',
];

/** The limit for bodies outside the sandbox. */
const MAX_BYTES = 65_536;

/** Valid and invalid bodies and query parameters by their schemas, sent to every operation that has them. */
export function everyInputChecks(suite: Suite, context: Context, samples: () => Promise<Samples>): void {
  const { check } = suite.section('all.inputs', 'Every body and every query parameter of the documents');
  const { v2, staging } = context;
  const all = once(() => operationsOf(context));
  /** The deployment that has the operation; none for the sandbox without staging. */
  const homeOf = ({ path }: Operation) => (path.startsWith('/sandbox') ? staging : context);
  const eachBody = async (test: (target: Target) => Promise<void>) => {
    for (const operation of await all()) {
      const content = at(operation.definition, 'requestBody', 'content', 'application/json');
      const path = samplePath(operation, await samples());
      const client = homeOf(operation)?.client;
      if (!('schema' in content) || path === undefined || !client) continue;
      const { document } = operation;
      const whole = resolved(content.schema as Json, document);
      const isList = whole.type === 'array';
      const schema = isList ? resolved(whole.items as Json, document) : whole;
      const [first] = Object.values(at(content, 'examples')) as Json[];
      const given = content.example ?? first?.value;
      const example = (isList ? at(given, 0) : given) as Json;
      const send = (body: string, headers: Record<string, string> = json) =>
        client.send({ ...callOf(operation, path), body, headers });
      const textOf = (body: unknown) => JSON.stringify(isList ? [body] : body);
      await test({ operation, schema, example, isList, send, textOf });
    }
  };
  const eachRead = async (test: (operation: Operation, send: SendQuery) => Promise<void>) => {
    for (const operation of await all()) {
      const path = samplePath(operation, await samples());
      const client = homeOf(operation)?.client;
      if (operation.method !== 'GET' || path === undefined || !client) continue;
      await test(operation, (query, more) => client.send({ ...callOf(operation, path + query), ...more }));
    }
  };

  check('fields', 'a body with one field wrong is 400 `invalid_body`, and `pointer` names the field', () =>
    eachBody(async ({ schema, example, operation, isList, send, textOf }) => {
      for (const { body, pointer } of violationsOf(example, schema, operation.document)) {
        const response = await send(textOf(body));
        if (operation.method === 'QUERY') {
          // The fields of QUERY are parameters.
          expectStatus(response, 400);
          ensure(/"code":"invalid_(parameter|cursor)"/.test(response.text), 'the parameter', response.text);
          const name = unescapeToken(pointer?.slice(1) ?? '');
          ensure(
            response.text.includes(name),
            `a message that names ${name}`,
            response.text,
            response.request,
          );
          continue;
        }
        expectError(response, 400, 'invalid_body');
        const expected = pointer && (isList ? `/0${pointer}` : pointer);
        equal(objectOf(response, 400).pointer, expected, 'pointer', `${response.request} ${textOf(body)}`);
      }
    }),
  );
  check('several-fields', '“`message` names every invalid field, `pointer` the first one”', () =>
    eachBody(async ({ schema, example, operation, isList, send, textOf }) => {
      if (operation.method === 'QUERY') return;
      for (const { body, names } of severalViolationsOf(example, schema, operation.document)) {
        const response = await send(textOf(body));
        expectError(response, 400, 'invalid_body');
        const { message, pointer } = objectOf(response, 400);
        for (const name of names)
          ensure(String(message).includes(name), `a message that names ${name}`, message, response.request);
        const places = names.map((name) => (isList ? `/0/${name}` : `/${name}`));
        ensure(places.includes(String(pointer)), 'a pointer to one of them', pointer, response.request);
      }
    }),
  );
  check('more-fields', '“`message` names every invalid field, or how many more there are”', () =>
    eachBody(async ({ example, operation, send, textOf }) => {
      if (operation.method === 'QUERY') return;
      for (const count of [15, 60]) {
        const names = Array.from({ length: count }, (_, at) => `unexpected${'-'.repeat(30)}${at + 100}`);
        const unknown = Object.fromEntries(names.map((name) => [name, 1]));
        const response = await send(textOf({ ...example, ...unknown }));
        expectError(response, 400, 'invalid_body');
        const message = String(objectOf(response, 400).message);
        const named = names.filter((name) => message.includes(name)).length;
        const [, more = 0] = /(\d+) more/.exec(message) ?? [];
        equal(
          named + Number(more),
          count,
          'the number of invalid fields:',
          `${response.request}: ${message}`,
        );
      }
    }),
  );
  check('duplicate-fields', '“Unknown and duplicate fields … are rejected”: 400 `invalid_body`', () =>
    eachBody(async ({ example, send, textOf }) => {
      for (const [name, value] of Object.entries(example)) {
        const again = `{${JSON.stringify(name)}:${JSON.stringify(value)},`;
        expectError(await send(textOf(example).replace('{', again)), 400, 'invalid_body');
      }
    }),
  );
  check(
    'not-an-object',
    'a body that is missing, not JSON or of another JSON type is 400 `invalid_body`',
    () =>
      eachBody(async ({ isList, send }) => {
        for (const body of ['', '{', '"text"', '1', 'null', isList ? '{}' : '[]', isList ? '[1]' : '[{}]'])
          expectError(await send(body), 400, 'invalid_body');
      }),
  );
  check(
    'media-types',
    'a body of another media type, or a compressed one, is 415 `unsupported_media_type`',
    () =>
      eachBody(async ({ send, textOf, example }) => {
        for (const type of otherTypes)
          expectError(await send(textOf(example), { 'Content-Type': type }), 415, 'unsupported_media_type');
        for (const encoding of ['gzip', 'br', 'identity, gzip', 'x-other']) {
          const headers = { ...json, 'Content-Encoding': encoding };
          expectError(await send(textOf(example), headers), 415, 'unsupported_media_type');
        }
        const identity = { ...json, 'Content-Encoding': 'identity' };
        expectError(await send('{', identity), 400, 'invalid_body');
      }),
  );
  check('also-as', 'a body may have every media type that the document names', () =>
    eachBody(async ({ operation, send }) => {
      const others = at(operation.definition, 'requestBody')['x-also-as'];
      // An empty object: 400 shows that the body was read, and nothing changes.
      for (const type of Array.isArray(others) ? others : [])
        expectError(await send('{}', { 'Content-Type': String(type) }), 400, 'invalid_body');
    }),
  );
  check('size', 'a body may have 64 KiB; one more byte is 413 `payload_too_large`', () =>
    eachBody(async ({ operation: { path, method }, send, isList }) => {
      // Bodies of sandbox operations may be larger.
      if (path.startsWith('/sandbox')) return;
      const start = isList ? '[{"unexpected":1}]' : '{"unexpected":1}';
      const rejected = method === 'QUERY' ? 'invalid_parameter' : 'invalid_body';
      expectError(await send(start.padEnd(MAX_BYTES)), 400, rejected);
      expectError(await send(start.padEnd(MAX_BYTES + 1)), 413, 'payload_too_large');
    }),
  );
  check('limits', 'a pet may have the shortest and longest texts and the smallest and largest stock', () =>
    eachBody(async ({ operation, schema, example, send, textOf }) => {
      if (!operation.path.startsWith('/pets')) return;
      for (const [name, property] of Object.entries(at(schema, 'properties')))
        for (const value of outermostValues(property as Json)) {
          const response = await send(textOf({ ...example, [name]: value }));
          expectStatus(response, 200, 201);
          const { id, [name]: stored } = objectOf(response, response.status);
          v2.onCleanUp(() => v2.send('PATCH', `/pets/${id}`, '{"stock":0}'));
          const sent = typeof value === 'number' ? BigInt(value) : value;
          equal(stored, sent, `the field ${name}`, response.request);
        }
    }),
  );
  check(
    'parameters',
    'a parameter that is empty, malformed or given twice is 400, and the message names it',
    () =>
      eachRead(async (operation, send) => {
        const { document } = operation;
        for (const { name, schema, example } of queryParametersOf(operation)) {
          const isCursor = name === 'cursor';
          const malformed = isCursor ? ['abc', 'A'.repeat(43)] : wrongTexts(schema, document);
          for (const value of malformed)
            expectRejected(
              await send(`?${name}=${value}`),
              isCursor ? 'invalid_cursor' : 'invalid_parameter',
              name,
            );
          for (const empty of [name, `${name}=`])
            expectRejected(await send(`?${empty}`), 'invalid_parameter', name);
          const { maxItems } = schema;
          const count = schema.type === 'array' ? Number(maxItems ?? Infinity) + 1 : 2;
          if (count === Infinity) continue;
          const [listed] = listedValues(schema, document);
          const valid = encodeURIComponent(String(listed ?? example ?? 1));
          const several = Array(count).fill(`${name}=${valid}`).join('&');
          expectRejected(await send(`?${several}`), 'invalid_parameter', name);
        }
      }),
  );
  check(
    'outermost',
    'every listed value and either end of a range are accepted; omitting a parameter equals its default',
    () =>
      eachRead(async (operation, send) => {
        if (isStream(operation)) return;
        const parameters = queryParametersOf(operation);
        // With `limit=1` the page has a `Link` to the next one, which `all.responses.links` checks.
        const page = parameters.some(({ name }) => name === 'limit') ? '&limit=1' : '';
        for (const { name, schema } of parameters) {
          for (const value of outermostValues(schema))
            if (typeof value === 'number') expectStatus(await send(`?${name}=${value}`), 200);
          // The inspector's list may grow between two reads: requests are recorded after their responses.
          if (typeof schema.default === 'number' && !operation.path.endsWith('/requests'))
            expectSameBody(await send(`?${name}=${schema.default}`), await send(''));
          for (const value of listedValues(schema, operation.document))
            expectStatus(await send(`?${name}=${value}${page}`), 200);
        }
      }),
  );
  check(
    'unknown',
    'an unknown parameter is 400 if the operation has query parameters, and else ignored',
    () =>
      eachRead(async (operation, send) => {
        const isStrict = queryParametersOf(operation).length > 0;
        if (isStrict) {
          expectRejected(await send('?unexpected=1'), 'invalid_parameter', 'unexpected');
          const headers = { 'If-None-Match': '*' };
          expectRejected(await send('?unexpected=1', { headers }), 'invalid_parameter', 'unexpected');
          expectError(await send('?unexpected=1', { key: null }), 401, 'missing_api_key');
        } else if (!isStream(operation))
          expectSameBody(await send('?unexpected=1&unexpected=&limit=0'), await send(''));
      }),
  );
  check(
    'unknown-in-changes',
    '“An operation without query parameters ignores them”, also if it changes something',
    async () => {
      await v2.require();
      const petId = await v2.newPet(9);
      const [shipped, cancelled] = [await v2.place(petId), await v2.place(petId)];
      const order = `{"petId":${petId},"quantity":1}`;
      for (const [method, path, body] of [
        ['POST', '/store/orders', order],
        ['POST', '/pets', '{"name":"A","category":"acceptance"}'],
        ['PATCH', `/pets/${petId}`, '{"name":"B"}'],
        ['POST', `/store/orders/${shipped.id}/ship`],
        ['POST', `/store/orders/${shipped.id}/deliver`],
        ['DELETE', `/store/orders/${cancelled.id}`],
      ] as const)
        expectStatus(
          await v2.send(method, `${path}?unexpected=&limit=0&limit=0&status=nonsense`, body),
          method === 'DELETE' ? 204 : body && method === 'POST' ? 201 : 200,
        );
    },
  );
  check('first-item', '“In the sandbox, both stop at the first invalid fault, pet or order”', async () => {
    if (!staging) throw new Inconclusive('needs --staging-url and --staging-key');
    await staging.v2.require('put /sandbox/faults');
    const [fault, pet] = [{ unexpected: 1 }, { name: '', category: 'cat', stock: 'x' }];
    const order = { quantity: 0 };
    for (const [method, path, body, place] of [
      ['PUT', '/sandbox/faults', [fault, { another: 1 }], '/0'],
      ['POST', '/sandbox/reset', { data: { pets: [pet, { another: 1 }], orders: [] } }, '/data/pets/0'],
      ['POST', '/sandbox/reset', { data: { pets: [], orders: [order, { another: 1 }] } }, '/data/orders/0'],
    ] as const) {
      const response = await staging.v2.send(method, path, JSON.stringify(body));
      expectError(response, 400, 'invalid_body');
      const { message, pointer } = objectOf(response, 400);
      ensure(String(pointer).startsWith(`${place}/`), `a pointer into ${place}`, pointer, response.request);
      ensure(!String(message).includes('another'), 'a message about one item', message, response.request);
    }
  });
}

interface Target {
  readonly operation: Operation;
  /** Describes the body, or the items of a list. */
  readonly schema: Json;
  readonly example: Json;
  readonly isList: boolean;
  send(body: string, headers?: Record<string, string>): Promise<Response>;
  textOf(body: unknown): string;
}

type SendQuery = (query: string, more?: Pick<Call, 'headers' | 'key'>) => Promise<Response>;

interface QueryParameter {
  readonly name: string;
  readonly schema: Json;
  readonly example: unknown;
}

function queryParametersOf({ definition, document }: Operation): QueryParameter[] {
  const parameters = Array.isArray(definition.parameters) ? (definition.parameters as Json[]) : [];
  return parameters.flatMap((given) => {
    const { name, in: place, schema, example } = resolved(given, document);
    if (place !== 'query') return [];
    return [{ name: String(name), schema: resolved(schema as Json, document), example }];
  });
}

function expectRejected(response: Response, code: string, name: string): void {
  expectError(response, 400, code);
  if (code === 'invalid_parameter')
    ensure(response.text.includes(name), `a message that names ${name}`, response.text, response.request);
}
