import { ApiError } from '../errors.ts';
import { schemaRef } from '../openapi/openapi.ts';
import { CURSOR_SCHEMA } from '../pages/cursor.ts';
import { parseDateTime } from './date-time.ts';
import { parseInt64 } from './int64.ts';

/** Values that one parameter may have, where it may have several. */
const MOST_VALUES = 20;

/** A query parameter: how its document describes it, and how its text is read. */
export interface Parameter<T> {
  readonly document: object;
  /** undefined for text that is not a valid value. */
  read(text: string): T | undefined;
  /** What a valid value looks like, for the error that names the parameter. */
  readonly expected: string;
  /** Whether it may be there several times, which means the same as once with commas in between. */
  readonly several?: boolean;
}

export type ValuesOf<P extends Record<string, Parameter<unknown>>> = {
  [K in keyof P]?: P[K] extends Parameter<infer T> ? T : never;
};

/** Reads a query. A parameter that is unknown, malformed or there too often is refused by name. */
export function readQuery<P extends Record<string, Parameter<unknown>>>(
  parameters: P,
  query: string,
): ValuesOf<P> {
  const texts = new Map<string, string>();
  for (const [name, text] of pairsOf(query)) {
    const parameter = Object.hasOwn(parameters, name) ? parameters[name] : undefined;
    if (!parameter) {
      const known = Object.keys(parameters).join(', ');
      throw invalid(name, `is not a parameter of this operation; those are: ${known}`);
    }
    if (texts.has(name) && !parameter.several) throw invalid(name, 'is there twice');
    if (text === undefined) throw invalid(name, `must be ${parameter.expected}`);
    texts.set(name, texts.has(name) ? `${texts.get(name)},${text}` : text);
  }
  const values = [...texts].map(([name, text]) => {
    const { read, expected } = parameters[name] as Parameter<unknown>;
    const value = read(text);
    if (value === undefined) throw invalid(name, `must be ${expected}`);
    return [name, value];
  });
  return Object.fromEntries(values) as ValuesOf<P>;
}

/** The names and values of a query; undefined for a value whose escapes are broken, which means nothing. */
function* pairsOf(query: string): Iterable<[name: string, text: string | undefined]> {
  for (const pair of query.split('&').filter((part) => part !== '')) {
    const [name = ''] = pair.split('=', 1);
    yield [unescaped(name) ?? name, unescaped(pair.slice(name.length + 1))];
  }
}

const escaped = /[%+]/;

function unescaped(text: string): string | undefined {
  if (!escaped.test(text)) return text;
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    return undefined;
  }
}

export function invalid(name: string, problem: string): ApiError {
  return new ApiError('invalid_parameter', `The parameter '${name.slice(0, 100)}' ${problem}.`);
}

/** The parameters as an OpenAPI document lists them. */
export function documentParameters(parameters: Record<string, Parameter<unknown>>): object[] {
  return Object.entries(parameters).map(([name, { document }]) => ({ name, in: 'query', ...document }));
}

export function int64(description: string, example: number): Parameter<bigint> {
  return {
    document: { description, schema: { type: 'integer', format: 'int64' }, example },
    read: parseInt64,
    expected: 'a 64-bit integer in plain decimal form',
  };
}

export function integer(
  description: string,
  minimum: number,
  maximum: number,
  fallback: number,
): Parameter<bigint> {
  return {
    document: {
      description,
      schema: { type: 'integer', format: 'int32', minimum, maximum, default: fallback },
      example: fallback,
    },
    read(text) {
      const value = parseInt64(text);
      return value !== undefined && value >= minimum && value <= maximum ? value : undefined;
    },
    expected: `a whole number from ${minimum} to ${maximum}`,
  };
}

export function boolean(description: string): Parameter<boolean> {
  return {
    document: { description, schema: { type: 'boolean' }, example: false },
    read: (text) => (text === 'true' ? true : text === 'false' ? false : undefined),
    expected: 'true or false',
  };
}

export function dateTime(description: string, example: string): Parameter<bigint> {
  return {
    document: { description, schema: { type: 'string', format: 'date-time' }, example },
    read: parseDateTime,
    expected: `a date and time with its offset from UTC, such as ${example}`,
  };
}

/** One value of the enumeration that the document has under this name. */
export function oneOf<const T extends string>(
  description: string,
  name: string,
  values: readonly T[],
): Parameter<T> {
  return {
    document: { description, schema: schemaRef(name), example: values[0] },
    read: (text) => values.find((value) => value === text),
    expected: `one of ${values.join(', ')}`,
  };
}

/** Several of them. */
export function someOf<const T extends string>(
  description: string,
  name: string,
  values: readonly T[],
): Parameter<readonly T[]> {
  return {
    document: {
      description: `${description} Separated by commas, or given several times.`,
      style: 'form',
      explode: false,
      schema: { type: 'array', items: schemaRef(name), minItems: 1, maxItems: MOST_VALUES },
      example: values.slice(0, 2),
    },
    several: true,
    read(text) {
      const asked = text.split(',');
      const found = values.filter((value) => asked.includes(value));
      const known = asked.every((value) => values.includes(value as T));
      return known && asked.length <= MOST_VALUES ? found : undefined;
    },
    expected: `one or several of ${values.join(', ')}, separated by commas, ${MOST_VALUES} at the most`,
  };
}

export function text(description: string, maxLength: number, example: string): Parameter<string> {
  return {
    document: {
      description,
      schema: { type: 'string', minLength: 1, maxLength, pattern: '^[^\\u0000]+$' },
      example,
    },
    read(text) {
      const characters = [...text].length;
      return characters >= 1 && characters <= maxLength && !text.includes('\0') ? text : undefined;
    },
    expected: `a text of 1 to ${maxLength} characters`,
  };
}

/** A cursor of ours; whether it is one is for its seal to tell. An example would be nobody's, and refused. */
export function cursor(description: string): Parameter<string> {
  const { read, expected } = text(description, 200, '');
  return { document: { description, schema: CURSOR_SCHEMA }, read, expected };
}
