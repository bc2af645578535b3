import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { breakingChanges } from '../breaking.ts';
import { asObject, type Json } from '../breaking-schema.ts';

const v1 = asObject(parse(readFileSync(new URL('../v1.yaml', import.meta.url), 'utf8')));
const v2 = asObject(parse(readFileSync(new URL('../v2.yaml', import.meta.url), 'utf8')));

/** A copy of the document with one place changed, given by its dotted path. */
function changed(document: Json, place: string, to: unknown): Json {
  const copy = structuredClone(document) as Record<string, unknown>;
  const steps = place.split('.');
  const last = steps.pop() as string;
  let at = copy;
  for (const step of steps) {
    at[step] ??= {};
    at = at[step] as Record<string, unknown>;
  }
  if (to === undefined) delete at[last];
  else at[last] = to;
  return copy;
}

const list = 'paths./store/orders.get';
const cancel = 'paths./store/orders/{orderId}.delete';
const pet = 'components.schemas.Pet';
const orderInput = 'components.schemas.OrderInput';
const place = 'paths./store/orders.post';

const breaking: ReadonlyArray<
  [what: string, document: Json, place: string, to: unknown, says: string | RegExp]
> = [
  ['a removed path', v1, 'paths./pets', undefined, 'GET /pets is gone'],
  ['a removed operation', v1, cancel, undefined, 'DELETE /store/orders/{orderId} is gone'],
  ['a renamed operation', v1, `${list}.operationId`, 'getOrders', 'called getOrders instead of listOrders'],
  ['a removed response', v1, `${cancel}.responses.409`, undefined, 'the response 409 is gone'],
  [
    'a response of another type',
    v1,
    `${list}.responses.200.content`,
    { 'text/csv': {} },
    'can now be text/csv',
  ],
  [
    'a removed header',
    v1,
    `${list}.responses.200.headers.ETag`,
    undefined,
    'the response 200 lost its header ETag',
  ],
  [
    'a header removed behind a reference',
    v1,
    'components.responses.Unauthorized.headers.WWW-Authenticate',
    undefined,
    'the response 401 lost its header WWW-Authenticate',
  ],
  [
    'a removed field',
    v1,
    'components.schemas.Order.properties.complete',
    undefined,
    'lost its field complete',
  ],
  [
    'a new field in a closed schema',
    v1,
    'components.schemas.Order.properties.status',
    { type: 'string' },
    'got the field status',
  ],
  [
    'a field that may be missing',
    v1,
    `${pet}.required`,
    ['id', 'name', 'category'],
    'may now lack the field status',
  ],
  [
    'a field of another type',
    v1,
    'components.schemas.Order.properties.id.type',
    'string',
    '[].id can now be of type string',
  ],
  [
    'a field of several types',
    v1,
    'components.schemas.Order.properties.shipDate.type',
    ['string', 'null'],
    'can now be of type null',
  ],
  [
    'a field of another format',
    v1,
    'components.schemas.Order.properties.id.format',
    'int32',
    'of another format',
  ],
  [
    'a value that no client knows',
    v1,
    `${pet}.properties.status.enum`,
    ['available', 'sold', 'lost'],
    'can now be "lost"',
  ],
  [
    'a response that is open to other fields',
    v1,
    `${pet}.additionalProperties`,
    true,
    'fields that are not documented',
  ],
  [
    'a response outside its limits',
    v1,
    'components.schemas.Error.properties.status.maximum',
    999,
    'no longer keeps to maximum',
  ],
  [
    'a list that is an object',
    v1,
    `${list}.responses.200.content.application/json.schema`,
    { type: 'object' },
    'can now be of type object',
  ],
  [
    'a parameter that is now needed',
    v1,
    `${list}.parameters`,
    [{ name: 'page', in: 'query', required: true, schema: {} }],
    'query parameter page is now required',
  ],
  [
    'a parameter of another type',
    v1,
    `${cancel}.parameters.0.schema.type`,
    'string',
    'can no longer be of type integer',
  ],
  ['a removed parameter', v2, `${list}.parameters`, [], 'the query parameter status is gone'],
  ['a parameter with fewer values', v2, `${list}.parameters.5.schema.enum`, ['id'], 'can no longer be "-id"'],
  [
    'a parameter with a lower limit',
    v2,
    `${list}.parameters.6.schema.maximum`,
    100,
    'must now keep to maximum 100',
  ],
  [
    'a parameter serialized differently',
    v2,
    `${list}.parameters.0.explode`,
    true,
    'is serialized differently',
  ],
  [
    'a body with a new required field',
    v2,
    `${orderInput}.required`,
    ['petId', 'quantity', 'shipDate'],
    'must now have the field shipDate',
  ],
  [
    'a body without a former field',
    v2,
    `${orderInput}.properties.shipDate`,
    undefined,
    'can no longer have the field shipDate',
  ],
  [
    'a body with narrower limits',
    v2,
    `${orderInput}.properties.quantity.maximum`,
    10,
    'must now keep to maximum 10',
  ],
  ['a body with a new limit', v2, `${orderInput}.properties.petId.minimum`, 1, 'must now keep to minimum 1'],
  [
    'a body of another type only',
    v2,
    `${place}.requestBody.content`,
    { 'text/csv': {} },
    'the body can no longer be application/json',
  ],
  ['a newly required body', v1, `${cancel}.requestBody`, { required: true, content: {} }, 'now needs a body'],
  [
    'a key that is no longer accepted',
    v1,
    'security',
    [{ apiKey: [], other: [] }],
    'can no longer be used with apiKey',
  ],
  [
    'a key for an open operation',
    changed(v1, `${list}.security`, [{}]),
    `${list}.security`,
    [{ apiKey: [] }],
    'can no longer be used with no key',
  ],
  [
    'a removed way to authenticate',
    changed(v1, 'security', [{ apiKey: [] }, { cookie: [] }]),
    'security',
    [{ apiKey: [] }],
    'can no longer be used with cookie',
  ],
  [
    'another kind of key',
    v1,
    'components.securitySchemes.apiKey.scheme',
    'basic',
    'security scheme apiKey changed',
  ],
  [
    'another base address',
    v1,
    'servers',
    [{ url: 'http://127.0.0.1:8080/v2' }],
    'the base address /v1 is gone',
  ],
  ['an earlier sunset', v1, 'paths./pets/{petId}.get.x-sunset', '2029-01-01', 'withdrawn earlier'],
  ['a new sunset', v1, 'paths./pets.get.x-sunset', '2029-01-01', 'withdrawn earlier'],
];

const harmless: ReadonlyArray<[what: string, document: Json, place: string, to: unknown]> = [
  ['a further operation', v1, 'paths./toys', { get: { operationId: 'listToys', responses: {} } }],
  ['a further response', v1, `${list}.responses.418`, { description: 'Tea.' }],
  ['a further header', v1, `${list}.responses.200.headers.Age`, { schema: { type: 'integer' } }],
  ['a new optional parameter', v2, `${list}.parameters.9`, { name: 'q', in: 'query', schema: {} }],
  ['another description', v1, `${list}.description`, 'All of them.'],
  ['another host', v1, 'servers', [{ url: 'https://pets.example/v1' }]],
  ['a further way to authenticate', v1, 'security', [{ apiKey: [] }, { cookie: [] }]],
  ['a value no longer returned', v1, `${pet}.properties.status.enum`, ['available']],
  ['a field always returned', v1, 'components.schemas.Order.required', ['id']],
  ['a response within narrower limits', v1, 'components.schemas.Error.properties.status.maximum', 499],
  ['a body with a new optional field', v2, `${orderInput}.properties.note`, { type: 'string' }],
  ['a body with wider limits', v2, `${orderInput}.properties.quantity.maximum`, 5000],
  ['a body with fewer required fields', v2, `${orderInput}.required`, ['petId']],
  ['a later end', v1, 'paths./pets/{petId}.get.x-sunset', '2031-01-01'],
];

describe('breaking changes', () => {
  it('reports none between a document and itself', () => {
    expect(breakingChanges(v1, v1)).toEqual([]);
    expect(breakingChanges(v2, v2)).toEqual([]);
  });

  it.each(breaking)('%s breaks clients and is reported', (_, document, place, to, says) => {
    const problems = breakingChanges(document, changed(document, place, to));
    expect(problems.join('\n')).toMatch(
      typeof says === 'string' ? new RegExp(says.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')) : says,
    );
  });

  it.each(harmless)('%s breaks no client', (_, document, place, to) => {
    expect(breakingChanges(document, changed(document, place, to))).toEqual([]);
  });

  it('the program’s v1 is compatible with the committed document', () => {
    const script = fileURLToPath(new URL('../breaking.ts', import.meta.url));
    expect(execFileSync(process.execPath, [script], { encoding: 'utf8' })).toBe('');
  });
});
