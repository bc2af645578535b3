import { errorBody, v2Codes } from '../errors.ts';
import { schemaRef } from './openapi.ts';

/** Every field is always present; clients must ignore unknown ones. */
export function responseSchema(description: string, properties: Record<string, object>) {
  return {
    type: 'object',
    description: `${description} New fields may be added: ignore fields you do not know.`,
    required: Object.keys(properties),
    properties,
  };
}

export function enumeration(
  description: string,
  values: readonly string[],
  identifiers = values.map((value) => value.toUpperCase().replace('.', '_')),
) {
  return {
    type: 'string',
    description,
    enum: values,
    'x-enum-varnames': identifiers,
    examples: [values[0]],
  };
}

export function errorProperties(code: object) {
  return {
    code,
    message: {
      type: 'string',
      minLength: 1,
      maxLength: 500,
      description: 'Human-readable description of the error.',
      examples: [errorBody('not_found').message],
    },
    status: {
      type: 'integer',
      minimum: 400,
      maximum: 599,
      description: 'The HTTP status code.',
      examples: [errorBody('not_found').status],
    },
  };
}

const errorBodySchema = responseSchema(
  'The body of every error response.',
  errorProperties(schemaRef('ErrorCode')),
);

export const errorSchemas = {
  ErrorBody: {
    ...errorBodySchema,
    properties: {
      ...errorBodySchema.properties,
      pointer: {
        type: 'string',
        maxLength: 250,
        description:
          'JSON Pointer (RFC 6901) of the first invalid field of the request body; `message` names all of them. Absent for other errors.',
        examples: ['/quantity'],
      },
    },
  },
  ErrorCode: {
    type: 'string',
    minLength: 1,
    maxLength: 64,
    pattern: '^[a-z][a-z_]*$',
    description: 'Machine-readable error code. New codes may be added: handle an unknown code by its status.',
    examples: v2Codes,
    'x-extensible-enum': v2Codes,
  },
};
