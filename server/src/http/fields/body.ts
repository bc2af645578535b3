import { ApiError } from '../errors.ts';
import { described } from '../openapi/openapi.ts';
import type { Field, Fields, OptionalField, TypeOf } from './field.ts';

type OptionalNames<F extends Fields> = {
  [K in keyof F]: F[K] extends OptionalField<unknown> ? K : never;
}[keyof F];

export type BodyOf<F extends Fields> = {
  readonly [K in Exclude<keyof F, OptionalNames<F>>]: TypeOf<F[K]>;
} & {
  readonly [K in OptionalNames<F>]?: TypeOf<F[K]>;
};

interface ReadOptions {
  readonly allowEmpty?: boolean;
  /** Path of the object in the body, for messages. */
  readonly place?: string;
  /** JSON pointer of what `place` is relative to. */
  readonly root?: string;
  readonly codeOf?: (field: Field<unknown>, given: unknown) => BodyErrorCode;
}

const beginnings = { invalid_body: 'The request body is not valid', invalid_data: 'Inconsistent data' };
type BodyErrorCode = keyof typeof beginnings;

interface Problem {
  readonly code: BodyErrorCode;
  readonly text: string;
  readonly pointer: string;
}

const MAX_REPORTED = 20;
/** The first problem is reported even if it is longer. */
const MAX_TEXT_LENGTH = 400;

/** Reports every invalid field of an object. */
export function readFields<F extends Fields>(
  fields: F,
  body: unknown,
  { allowEmpty = true, place = '', root = '', codeOf = () => 'invalid_body' }: ReadOptions = {},
): BodyOf<F> {
  const given = requireObject(body, place, root);
  const values: Record<string, unknown> = {};
  const problems: Problem[] = [];
  let omitted = 0;
  const report = (name: string, problem: string, code: BodyErrorCode = 'invalid_body') => {
    const shortName = name.slice(0, 100);
    const pointer = `${pointerTo(place, root)}/${shortName.replaceAll('~', '~0').replaceAll('/', '~1')}`;
    problems.push({ code, text: `'${place && `${place}.`}${shortName}' ${problem}`, pointer });
  };
  for (const [name, field] of Object.entries(fields)) {
    if (Object.hasOwn(given, name) && !(field.ignoresNull && given[name] === null)) {
      try {
        values[name] = field.read(given[name]);
      } catch (error) {
        if (!(error instanceof BodyError)) throw error;
        problems.push(...error.problems);
        omitted += error.omitted;
        continue;
      }
      if (values[name] === undefined) report(name, `must be ${field.expected}`, codeOf(field, given[name]));
    } else if (field.default !== undefined) values[name] = field.default;
    else if (!field.isOptional) report(name, 'is required');
  }
  const unknown = Object.keys(given).filter((name) => !Object.hasOwn(fields, name));
  for (const name of unknown.slice(0, MAX_REPORTED)) report(name, 'is not a known field');
  omitted += Math.max(0, unknown.length - MAX_REPORTED);
  if (problems.length > 0) throw new BodyError(problems, omitted);
  if (!allowEmpty && Object.keys(values).length === 0) throw invalidBody('it must have at least one field');
  return values as BodyOf<F>;
}

export function requireObject(value: unknown, place = '', root = '') {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw invalidBody(`${place ? `'${place}'` : 'it'} must be a JSON object`, pointerTo(place, root));
  return value as Readonly<Record<string, unknown>>;
}

/** `orders[3].petId` is `/orders/3/petId`. */
const pointerTo = (place: string, root = '') =>
  root + place.replaceAll(/\.?(\w+)|\[(\d+)\]/g, (_, name, index) => `/${name ?? index}`);

class BodyError extends ApiError {
  readonly problems: readonly Problem[];
  /** Unknown fields beyond the first `MAX_REPORTED`, which are only counted. */
  readonly omitted: number;
  /** Reports only problems of one code: `invalid_body` if there are any, else `invalid_data`. */
  constructor(problems: readonly Problem[], omitted = 0) {
    const isMalformed = problems.some((problem) => problem.code === 'invalid_body');
    const code = isMalformed ? 'invalid_body' : 'invalid_data';
    const all = problems.filter((problem) => problem.code === code);
    super(code, `${beginnings[code]}: ${joinTexts(all, omitted)}.`, [], all[0]?.pointer || undefined);
    this.problems = problems;
    this.omitted = omitted;
  }
}

function joinTexts(problems: readonly Problem[], omitted: number): string {
  const texts: string[] = [];
  for (const { text } of problems) {
    if (texts.length > 0 && [...texts, text].join('; ').length > MAX_TEXT_LENGTH) break;
    texts.push(text);
  }
  const rest = problems.length - texts.length + omitted;
  return texts.join('; ') + (rest > 0 ? `; and ${rest} more` : '');
}

export const invalidBody = (text: string, pointer = '') =>
  new BodyError([{ code: 'invalid_body', text, pointer }]);

/** An error at one place, such as `orders[3].petId`. */
export const invalidAt = (code: BodyErrorCode, place: string, problem: string, root = '') =>
  new BodyError([{ code, text: `'${place}' ${problem}`, pointer: pointerTo(place, root) }]);

export function documentBody(fields: Fields, description: string, more: object = {}): object {
  const required = Object.keys(fields).filter((name) => !fields[name]?.isOptional);
  return {
    type: 'object',
    description,
    additionalProperties: false,
    ...more,
    ...(required.length > 0 && { required }),
    properties: documentFields(fields),
  };
}

export function documentFields(fields: Fields): Record<string, object> {
  const documented = Object.entries(fields).map(([name, { schema, description, example }]) => [
    name,
    '$ref' in schema ? schema : described(schema, description, example),
  ]);
  return Object.fromEntries(documented);
}
