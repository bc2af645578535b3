import { v2Codes } from '../errors.ts';
import { caching, errorAnswers, errorProperties, everyAnswer, notModifiedAnswer } from './answers.ts';
import { headerRef, json, schemaRef } from './openapi.ts';

export const { errorAnswer, commonAnswers } = errorAnswers('ErrorBody');

export const answer = (description: string, schema: string, example: unknown, headers: object = {}) => ({
  description,
  headers: { ...everyAnswer, ...headers },
  ...json(schemaRef(schema), example),
});

/** The answers of an operation that takes `If-None-Match`. */
export const cachedAnswers = (
  description: string,
  schema: string,
  example: unknown,
  headers: object = {},
) => ({
  200: answer(description, schema, example, { ...caching, ...headers }),
  304: notModifiedAnswer(),
});

const ONE_PAGE = 'One page, and the cursor of the next.';

export const page = (schema: string, example: unknown, link: string) =>
  answer(ONE_PAGE, schema, example, { Link: headerRef(link) });

export const cachedPage = (schema: string, example: unknown, link: string) =>
  cachedAnswers(ONE_PAGE, schema, example, { Link: headerRef(link) });

export const links = (...names: string[]) =>
  Object.fromEntries(names.map((name) => [name, { $ref: `#/components/links/${name}` }]));

export const bodyAnswers = {
  400: errorAnswer('The body is not valid.', ['invalid_body']),
  413: errorAnswer('The body is too large.', ['payload_too_large']),
  415: errorAnswer('The body is of another type, or compressed.', ['unsupported_media_type']),
};

/** Every field is always there; clients pass over others, which may come. */
export function answered(description: string, properties: Record<string, object>) {
  return {
    type: 'object',
    description: `${description} Further fields may come: pass over those you do not know.`,
    required: Object.keys(properties),
    properties,
  };
}

interface ShownField<Row> {
  readonly schema: object;
  readonly write: (row: Row) => string;
}

export type ShownFields<Row> = Readonly<Record<string, ShownField<Row>>>;

export function documentShown<Row>(description: string, fields: ShownFields<Row>) {
  const properties = Object.entries(fields).map(([name, { schema }]) => [name, schema] as const);
  return answered(description, Object.fromEntries(properties));
}

export function writerOf<Row>(fields: ShownFields<Row>): (row: Row) => string {
  const parts = Object.entries(fields).map(([name, { write }], index) => ({
    before: `${index === 0 ? '{' : ','}"${name}":`,
    write,
  }));
  return (row) => `${parts.reduce((text, { before, write }) => text + before + write(row), '')}}`;
}

export function enumeration(
  description: string,
  values: readonly string[],
  namesInCode = values.map((value) => value.toUpperCase().replace('.', '_')),
) {
  return {
    type: 'string',
    description,
    enum: values,
    'x-enum-varnames': namesInCode,
    examples: [values[0]],
  };
}

export const errorSchemas = {
  ErrorBody: answered(
    'The body of every answer that is not a success.',
    errorProperties(schemaRef('ErrorCode')),
  ),
  ErrorCode: {
    type: 'string',
    minLength: 1,
    maxLength: 64,
    pattern: '^[a-z][a-z_]*$',
    description:
      'Machine-readable error code. An open list: take a code that you do not know for what its status says.',
    examples: v2Codes,
    'x-extensible-enum': v2Codes,
  },
};
