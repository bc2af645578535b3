import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, it } from 'vitest';
import { documents } from '../../src/api/contract.ts';
import { errorCodes } from '../../src/http/errors.ts';
import { CURSOR_SCHEMA } from '../../src/http/pages/paging.ts';
import {
  examplesOf,
  follow,
  isObject,
  isSchema,
  type Json,
  objectsOf,
  operationsOf,
  publishedDocument,
  resolved,
  typesOf,
} from '../support/document.ts';

describe.each(Object.keys(documents))('the document of %s', (prefix) => {
  const document = publishedDocument(prefix);
  const schemas = [...objectsOf(document)].filter(isSchema);

  it('has no broken references and no unused components', () => {
    const references = [...objectsOf(document)].flatMap(({ value }) =>
      typeof value.$ref === 'string' ? [value.$ref] : [],
    );
    expect(references.length).toBeGreaterThan(20);
    expect(references.filter(($ref) => follow(document, $ref) === undefined)).toEqual([]);
    const parts = Object.entries(document.components as Record<string, Json>)
      .filter(([kind]) => kind !== 'securitySchemes')
      .flatMap(([kind, named]) => Object.keys(named).map((name) => `#/components/${kind}/${name}`));
    expect(parts.filter((part) => !references.includes(part))).toEqual([]);
  });

  it('defines each header once, never inline', () => {
    const inline = [...objectsOf(document)].filter(
      ({ at, value }) =>
        /\/headers\/[^/]+$/.test(at) && !at.startsWith('#/components/headers/') && !value.$ref,
    );
    expect(inline).toEqual([]);
  });

  /** If-None-Match and streams are unbounded; v1, which is frozen, documents no limits for its lists and quantities. */
  const unlimited = [/parameters\/IfNoneMatch\/schema$/, /ServerSentEvent\/properties\/data$/];
  if (prefix === '/v1') unlimited.push(/get\/responses\/200\/.*\/schema$/, /Order\/properties\/quantity$/);
  const limitsOf: Record<string, (schema: Json) => boolean> = {
    // A date and time is as long as its format says.
    string: (schema) =>
      schema.format === 'date-time' || ['maxLength', 'enum', 'const'].some((limit) => limit in schema),
    array: (schema) => 'maxItems' in schema,
    // 64 bits are a limit of their own, which a number in a document could only say rounded.
    integer: (schema) => schema.format === 'int64' || ('minimum' in schema && 'maximum' in schema),
  };
  it('bounds every string, array and integer', () => {
    const without = schemas.filter(
      ({ at, value }) =>
        typesOf(value).some((type) => limitsOf[type]?.(value) === false) &&
        !unlimited.some((place) => place.test(at)),
    );
    expect(without.map(({ at }) => at)).toEqual([]);
  });

  it('has an example for every field, parameter, header and body', () => {
    const fields = schemas.flatMap(({ at, value }) =>
      Object.entries((value.properties ?? {}) as Record<string, Json>).map(([field, schema]) => ({
        at: `${at}.${field}`,
        shown: resolved(document, schema),
      })),
    );
    // Objects and lists are shown by their parts; a constant is its own example. A list of examples of a
    // boolean makes openapi-generator treat the object as a map, without its fields.
    const hasPartExamples = (shown: Json) => 'properties' in shown || 'oneOf' in shown || 'const' in shown;
    const silent = fields.filter(({ shown }) =>
      shown.type === 'boolean'
        ? typeof shown.example !== 'boolean' || 'examples' in shown
        : shown.type !== 'array' && !hasPartExamples(shown) && !Array.isArray(shown.examples),
    );
    expect(fields.length).toBeGreaterThan(10);
    expect(silent.map(({ at }) => at)).toEqual([]);
    // Any cursor not issued by the service is rejected, so an example to send could only be wrong.
    const bare = [...examplesOf(document)].filter(({ examples }) => examples.length === 0);
    expect(bare.filter(({ schema }) => schema.pattern !== CURSOR_SCHEMA.pattern).map(({ at }) => at)).toEqual(
      [],
    );
  });

  it('has only valid examples', () => {
    const ajv = new Ajv2020({ strict: false, allErrors: true });
    ajv.addFormat('int32', { type: 'number', validate: (value) => (value | 0) === value });
    ajv.addFormat('int64', { type: 'number', validate: Number.isSafeInteger });
    ajv.addFormat('date', /^\d{4}-\d\d-\d\d$/);
    ajv.addFormat('date-time', /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{3})?Z$/);
    ajv.addSchema({ $id: 'document', components: document.components });
    const problems = (schema: Json, example: unknown) => {
      const validate = ajv.compile(JSON.parse(JSON.stringify(schema).replaceAll('"#/', '"document#/')));
      return validate(example) ? [] : [ajv.errorsText(validate.errors)];
    };
    const wrong = [...examplesOf(document)].flatMap(({ at, schema, examples }) =>
      examples.flatMap((example) => problems(schema, example).map((problem) => `${at}: ${problem}`)),
    );
    const wrongOfSchemas = schemas.flatMap(({ at, value }) =>
      ((value.examples ?? []) as unknown[]).flatMap((example) =>
        problems(value, example).map((problem) => `${at}: ${problem}`),
      ),
    );
    expect([...wrong, ...wrongOfSchemas]).toEqual([]);
  });

  it('uses only listed error codes, and lists only existing ones', () => {
    const { ErrorCode, Error: error } = (document.components as { schemas: Record<string, Json> }).schemas;
    const code = ErrorCode ?? (error as { properties: Record<string, Json> }).properties.code;
    const listed = code?.examples as string[];
    const shown = [...examplesOf(document)].flatMap(({ examples }) =>
      examples.flatMap((example) => (isObject(example) && 'code' in example ? [String(example.code)] : [])),
    );
    expect(shown.filter((code) => !listed.includes(code))).toEqual([]);
    expect(listed.filter((code) => !(code in errorCodes))).toEqual([]);
    expect(new Set(listed).size).toBe(listed.length);
  });

  it('names a contact and further documentation', () => {
    expect(document).toMatchObject({
      info: { contact: { url: expect.stringMatching(/^http/) } },
      externalDocs: { url: expect.stringMatching(/\/docs$/) },
    });
  });
});

describe('the document of v1', () => {
  it('contains nothing of v2: no codes, no fields', () => {
    const text = JSON.stringify(documents['/v1']);
    for (const word of [
      'invalid_cursor',
      'invalid_parameter',
      'unknown_pet',
      'order_already_cancelled',
      'stock',
    ])
      expect(text).not.toContain(word);
  });

  it('requires no field of an order, and keeps its responses closed', () => {
    const {
      Order,
      Pet,
      Error: error,
    } = (publishedDocument('/v1').components as { schemas: Record<string, Json> }).schemas;
    expect(Order).not.toHaveProperty('required');
    for (const schema of [Order, Pet, error]) expect(schema?.additionalProperties).toBe(false);
  });
});

describe('the document of v2', () => {
  const document = publishedDocument('/v2');
  const { schemas } = document.components as { schemas: Record<string, Json> };
  const operations = operationsOf(document);

  it('uses no name that collides with generated clients or language keywords', () => {
    const names = Object.keys(schemas);
    for (const name of [
      'OrderInput',
      'PetInput',
      'PetPatch',
      'OrderPage',
      'PetPage',
      'OrderHistory',
      'OrderStatus',
    ])
      expect(names).toContain(name);
    const constructors = names.map((name) => `New${name}`);
    expect(names.filter((name) => constructors.includes(name) || name === 'Error')).toEqual([]);
  });

  it('has different tags for operations and webhooks: generators write one file per tag', () => {
    const tagsIn = (part: string) =>
      [...objectsOf(document)]
        .filter(({ at, value }) => at.startsWith(`#/${part}/`) && typeof value.operationId === 'string')
        .flatMap(({ value }) => value.tags as string[]);
    expect(new Set(tagsIn('webhooks'))).toEqual(new Set(['messages']));
    expect(tagsIn('paths')).toContain('webhooks');
    expect(tagsIn('paths')).not.toContain('messages');
  });

  it('has no default that would be rejected if sent, as generated clients do', () => {
    const { orders } = (follow(document, '#/components/schemas/ResetInput') as Json).properties as Record<
      string,
      Json
    >;
    expect(orders).not.toHaveProperty('default');
  });

  it('keeps responses open and requests closed', () => {
    const requests = [
      'OrderInput',
      'PetInput',
      'PetPatch',
      'ResetInput',
      'NewStoreInput',
      'OwnData',
      'OwnPet',
      'OwnOrder',
      'FaultInput',
      'FaultParameters',
      'WebhookInput',
      'WebhookPatch',
    ];
    for (const [name, schema] of Object.entries(schemas)) {
      if (schema.type !== 'object') continue;
      const closed = requests.includes(name);
      expect([name, schema.additionalProperties === false]).toEqual([name, closed]);
      expect(String(schema.description)).toContain(closed ? 'no other fields' : 'New fields may be added');
    }
    const inline = operations.flatMap((operation) =>
      Object.values(operation.responses).filter((response) =>
        JSON.stringify(response).includes('additionalProperties'),
      ),
    );
    expect(inline).toEqual([]);
  });

  it('references its enumerations everywhere, and names their values', () => {
    const enumerations = [...objectsOf(document)].filter(
      ({ at, value }) => Array.isArray(value.enum) && !at.startsWith('#/components/headers/'),
    );
    expect(enumerations.map(({ at }) => at.split('/').at(-1)).sort()).toEqual([
      'DataSet',
      'DeliveryStatus',
      'EventTypeInput',
      'FaultKind',
      'FilledWith',
      'OrderSort',
      'OrderStatus',
      'PetStatus',
    ]);
    const names = enumerations.flatMap(({ value }) => value['x-enum-varnames'] as string[]);
    expect(new Set(names).size).toBe(names.length);
    for (const { value } of enumerations)
      expect((value['x-enum-varnames'] as string[]).length).toBe((value.enum as string[]).length);
    for (const name of names) expect(name).toMatch(/^[A-Z][A-Z0-9_]*$/);
  });

  it('lists error codes without closing the list', () => {
    expect(schemas.ErrorCode).not.toHaveProperty('enum');
    expect(schemas.ErrorCode?.['x-extensible-enum']).toEqual(schemas.ErrorCode?.examples);
    expect(schemas.ErrorBody?.properties).toMatchObject({ code: { $ref: '#/components/schemas/ErrorCode' } });
  });

  it('marks every operation as beta, and sandbox, events and requests as experimental', () => {
    const experimental = /^\/(sandbox|webhooks|store\/(events|requests))(\/|$)/;
    expect(
      operations
        .filter(
          (operation) =>
            operation['x-stability'] !== (experimental.test(operation.path) ? 'experimental' : 'beta'),
        )
        .map(({ operationId }) => operationId),
    ).toEqual([]);
  });
});
