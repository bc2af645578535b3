import type { Json } from '../../document.ts';

/** Where and why a value does not satisfy a schema of the document; undefined if it does. */
export function problemIn(value: unknown, schema: Json, root: Json, at = 'body'): string | undefined {
  const { $ref: ref } = schema;
  if (typeof ref === 'string') return problemIn(value, resolve(root, ref), root, at);
  const { allOf, oneOf, anyOf } = schema as Record<string, Json[] | undefined>;
  for (const part of allOf ?? []) {
    const problem = problemIn(value, part, root, at);
    if (problem !== undefined) return problem;
  }
  const choices = oneOf ?? anyOf;
  if (choices?.every((choice) => problemIn(value, choice, root, at) !== undefined))
    return `${at} matches none of the alternatives`;
  const { not } = schema as { not?: Json };
  if (not && problemIn(value, not, root, at) === undefined) return `${at} matches an excluded schema`;
  return (
    typeProblem(value, schema, at) ??
    limitProblem(value, schema, at) ??
    memberProblem(value, schema, root, at)
  );
}

/** The name of a field in a JSON Pointer (RFC 6901). */
export const unescapeToken = (token: string) => token.replaceAll('~1', '/').replaceAll('~0', '~');

export const resolve = (root: Json, ref: string): Json =>
  ref
    .slice(2)
    .split('/')
    .reduce((node, token) => node[unescapeToken(token)] as Json, root);

function typeProblem(value: unknown, { type }: Json, at: string): string | undefined {
  if (type === undefined) return undefined;
  const types = Array.isArray(type) ? type : [type];
  return types.some((name) => hasType(value, String(name)))
    ? undefined
    : `${at} is not ${types.join(' or ')}`;
}

function hasType(value: unknown, type: string): boolean {
  if (type === 'null') return value === null;
  if (type === 'array') return Array.isArray(value);
  if (type === 'object') return typeof value === 'object' && value !== null && !Array.isArray(value);
  // The parser reads integers as bigints.
  if (type === 'integer') return typeof value === 'bigint';
  if (type === 'number') return typeof value === 'bigint' || typeof value === 'number';
  return typeof value === type;
}

const patterns = new Map<string, RegExp>();

function compiled(pattern: string): RegExp {
  const regExp = patterns.get(pattern) ?? new RegExp(pattern, 'u');
  patterns.set(pattern, regExp);
  return regExp;
}

function limitProblem(value: unknown, schema: Json, at: string): string | undefined {
  const { enum: allowed, const: constant, pattern, format, minimum, maximum } = schema;
  const plain = typeof value === 'bigint' ? Number(value) : value;
  if (Array.isArray(allowed) && !allowed.includes(plain)) return `${at} is none of ${allowed.join(', ')}`;
  if (constant !== undefined && plain !== constant) return `${at} is not ${constant}`;
  if (typeof plain === 'number' && (plain < Number(minimum ?? plain) || plain > Number(maximum ?? plain)))
    return `${at} is out of range`;
  const size =
    typeof plain === 'string' ? [...plain].length : Array.isArray(plain) ? plain.length : undefined;
  if (size === undefined) return undefined;
  const [min, max] = Array.isArray(plain) ? ['minItems', 'maxItems'] : ['minLength', 'maxLength'];
  if (size < Number(schema[min as string] ?? 0) || size > Number(schema[max as string] ?? size))
    return `${at} has ${size} characters or items`;
  if (typeof plain !== 'string') return undefined;
  if (typeof pattern === 'string' && !compiled(pattern).test(plain)) return `${at} is not ${pattern}`;
  if (format === 'date-time' && Number.isNaN(Date.parse(plain))) return `${at} is not a date-time`;
  return undefined;
}

function memberProblem(value: unknown, schema: Json, root: Json, at: string): string | undefined {
  if (Array.isArray(value)) {
    const { items } = schema as { items?: Json };
    for (const [index, item] of items ? value.entries() : []) {
      const problem = problemIn(item, items as Json, root, `${at}[${index}]`);
      if (problem !== undefined) return problem;
    }
    return undefined;
  }
  if (typeof value !== 'object' || value === null) return undefined;
  const fields = value as Record<string, unknown>;
  const { required = [], properties = {} } = schema as {
    required?: string[];
    properties?: Record<string, Json>;
  };
  const missing = required.find((name) => !(name in fields));
  if (missing !== undefined) return `${at} lacks ${missing}`;
  for (const [name, part] of Object.entries(properties)) {
    const problem = name in fields ? problemIn(fields[name], part, root, `${at}.${name}`) : undefined;
    if (problem !== undefined) return problem;
  }
  return undefined;
}
