import { parseDateTime } from '../content/date-time.ts';
import { parseInt64 } from '../content/int64.ts';
import { ApiError } from '../errors.ts';

/** A query parameter: how its document describes it, and how its text is read. */
export interface Parameter<T> {
  readonly document: object;
  /** undefined for text that is not a valid value. */
  read(text: string): T | undefined;
  /** What a valid value looks like, for the error that names the parameter. */
  readonly expected: string;
}

export type ValuesOf<P extends Record<string, Parameter<unknown>>> = {
  [K in keyof P]?: P[K] extends Parameter<infer T> ? T : never;
};

/** Reads the query of a URL. A parameter that is unknown, there twice or malformed is refused by name. */
export function readQuery<P extends Record<string, Parameter<unknown>>>(
  parameters: P,
  url: string,
): ValuesOf<P> {
  const start = url.indexOf('?');
  const values: Record<string, unknown> = {};
  for (const [name, text] of pairsOf(start === -1 ? '' : url.slice(start + 1))) {
    const parameter = Object.hasOwn(parameters, name) ? parameters[name] : undefined;
    if (!parameter) {
      const known = Object.keys(parameters).join(', ');
      throw invalid(name, `is not a parameter of this operation; those are: ${known}`);
    }
    if (Object.hasOwn(values, name)) throw invalid(name, 'is there twice');
    const value = text === undefined ? undefined : parameter.read(text);
    if (value === undefined) throw invalid(name, `must be ${parameter.expected}`);
    values[name] = value;
  }
  return values as ValuesOf<P>;
}

/** The names and values of a query; undefined for a value whose escapes are broken, which means nothing. */
function* pairsOf(query: string): Iterable<[name: string, text: string | undefined]> {
  for (const pair of query.split('&').filter((part) => part !== '')) {
    const [name = ''] = pair.split('=', 1);
    yield [unescaped(name) ?? name, unescaped(pair.slice(name.length + 1))];
  }
}

function unescaped(text: string): string | undefined {
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

export function int64(description: string): Parameter<bigint> {
  return {
    document: { description, schema: { type: 'integer', format: 'int64' } },
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
    document: { description, schema: { type: 'integer', minimum, maximum, default: fallback } },
    read(text) {
      const value = parseInt64(text);
      return value !== undefined && value >= minimum && value <= maximum ? value : undefined;
    },
    expected: `a whole number from ${minimum} to ${maximum}`,
  };
}

export function boolean(description: string): Parameter<boolean> {
  return {
    document: { description, schema: { type: 'boolean' } },
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

export function oneOf<const T extends string>(
  description: string,
  values: readonly T[],
  fallback?: T,
): Parameter<T> {
  const schema = { type: 'string', enum: values, ...(fallback === undefined ? {} : { default: fallback }) };
  return {
    document: { description, schema },
    read: (text) => values.find((value) => value === text),
    expected: `one of ${values.join(', ')}`,
  };
}

export function someOf<const T extends string>(
  description: string,
  values: readonly T[],
): Parameter<readonly T[]> {
  return {
    document: {
      description,
      style: 'form',
      explode: false,
      schema: { type: 'array', items: { type: 'string', enum: values }, minItems: 1 },
    },
    read(text) {
      const asked = text.split(',');
      const found = values.filter((value) => asked.includes(value));
      return asked.every((value) => values.includes(value as T)) ? found : undefined;
    },
    expected: `one or several of ${values.join(', ')}, separated by commas`,
  };
}

export function text(description: string, maxLength: number): Parameter<string> {
  return {
    document: { description, schema: { type: 'string', minLength: 1, maxLength } },
    read(text) {
      const characters = [...text].length;
      return characters >= 1 && characters <= maxLength && !text.includes('\0') ? text : undefined;
    },
    expected: `a text of 1 to ${maxLength} characters`,
  };
}
