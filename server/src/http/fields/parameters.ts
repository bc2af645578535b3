import { decodeComponent } from '../encoding/decode-component.ts';
import { ApiError } from '../errors.ts';
import { requireObject } from './body.ts';
import { type Field, type Fields, int64, type TypeOf } from './field.ts';

export type PathOf<F extends Fields> = { readonly [K in keyof F]: TypeOf<F[K]> };
export type QueryOf<F extends Fields> = { readonly [K in keyof F]?: TypeOf<F[K]> };

export const pathId = (resource: string, example: number): Field<bigint> =>
  int64(`Id of the ${resource}.`, example);

export function readPath<F extends Fields>(fields: F, params: Readonly<Record<string, string>>): PathOf<F> {
  const values: Record<string, unknown> = {};
  for (const [name, { read, parse = read }] of Object.entries(fields)) {
    values[name] = parse(params[name] ?? '');
    if (values[name] === undefined) throw new ApiError('not_found');
  }
  return values as PathOf<F>;
}

export function readQuery<F extends Fields>(parameters: F, query: string): QueryOf<F> {
  if (query === '') return {};
  const texts = new Map<string, string>();
  for (const [name, text] of parsePairs(query)) {
    const parameter = parameterNamed(parameters, name);
    if (texts.has(name) && !parameter.isList) throw invalidParameter(name, 'is repeated');
    if (text === undefined) throw invalidText(parameter, name);
    texts.set(name, texts.has(name) ? `${texts.get(name)},${text}` : text);
  }
  const values = [...texts].map(([name, text]) => {
    const parameter = parameters[name] as Fields[string];
    const { read, parse = read } = parameter;
    const value = parse(text);
    if (value === undefined) throw invalidText(parameter, name);
    return [name, value];
  });
  return Object.fromEntries(values) as QueryOf<F>;
}

/** The body of a QUERY: a JSON object with the query parameters as fields. */
export interface QueryBody<F extends Fields> {
  readonly values: QueryOf<F>;
  /** The same parameters as a query string. */
  readonly text: string;
}

export function readQueryBody<F extends Fields>(parameters: F, body: unknown): QueryBody<F> {
  const given = Object.entries(requireObject(body));
  const values = given.map(([name, value]) => {
    const parameter = parameterNamed(parameters, name);
    const found = parameter.read(value);
    if (found === undefined) throw invalidJson(parameter, name);
    return [name, found];
  });
  const text = new URLSearchParams(given.map(([name, value]) => [name, String(value)]));
  return { values: Object.fromEntries(values) as QueryOf<F>, text: String(text) };
}

function parameterNamed(parameters: Fields, name: string): Field<unknown> {
  const parameter = Object.hasOwn(parameters, name) ? parameters[name] : undefined;
  if (parameter) return parameter;
  const names = Object.keys(parameters);
  const hint = names.length > 0 ? `: ${names.join(', ')}` : ' no query parameters';
  throw invalidParameter(name, `is unknown; this operation takes${hint}`);
}

function* parsePairs(query: string): Iterable<[name: string, text: string | undefined]> {
  const pairs = query.replaceAll('+', ' ').split('&');
  for (const pair of pairs.filter((part) => part !== '')) {
    const [name = ''] = pair.split('=', 1);
    yield [decodeComponent(name) ?? name, decodeComponent(pair.slice(name.length + 1))];
  }
}

function invalidText({ expected, schema, isList }: Field<unknown>, name: string): ApiError {
  const isInteger = 'type' in schema && schema.type === 'integer';
  const form = isList ? ', separated by commas' : isInteger ? ', in plain decimal form' : '';
  return invalidParameter(name, `must be ${expected}${form}`);
}

function invalidJson({ expected, isList }: Field<unknown>, name: string): ApiError {
  return invalidParameter(name, `must be ${isList ? 'an array of ' : ''}${expected}`);
}

export function invalidParameter(name: string, problem: string): ApiError {
  return new ApiError('invalid_parameter', `The parameter '${name.slice(0, 100)}' ${problem}.`);
}

export function documentParameters(location: 'path' | 'query', fields: Fields): object[] {
  return Object.entries(fields).map(([name, { description, schema, example, isList }]) => ({
    name,
    in: location,
    ...(location === 'path' && { required: true }),
    description,
    ...(isList && { style: 'form', explode: false }),
    schema,
    ...(example !== undefined && { example }),
  }));
}
