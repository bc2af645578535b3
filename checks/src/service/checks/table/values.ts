import type { Json } from '../../document.ts';
import { resolve } from './schema.ts';

/** The first integer beyond int64. */
const TOO_LARGE = 2 ** 63;

export interface Violation {
  readonly body: unknown;
  /** JSON Pointer of the field that is wrong; undefined if the whole body is. */
  readonly pointer?: string;
}

type Properties = Readonly<Record<string, Json>>;

const isOfType = ({ type }: Json, name: string): boolean =>
  Array.isArray(type) ? type.includes(name) : type === name;

/** The schema behind a reference. */
export const resolved = (schema: Json, root: Json): Json =>
  typeof schema.$ref === 'string' ? resolved(resolve(root, schema.$ref), root) : schema;

/** A valid object with one field wrong at a time, in every way that the schema excludes. */
export function violationsOf(valid: Json, schema: Json, root: Json): Violation[] {
  const { required = [], properties = {} } = schema as { required?: string[]; properties?: Properties };
  const found: Violation[] = [
    { body: { ...valid, unexpected: 1 }, pointer: '/unexpected' },
    { body: { ...valid, 'a/b~c': 1 }, pointer: '/a~1b~0c' },
  ];
  if (Number(schema.minProperties ?? 0) > 0) found.push({ body: {} });
  for (const name of required) {
    const { [name]: _, ...rest } = valid;
    found.push({ body: rest, pointer: `/${name}` });
  }
  for (const [name, given] of Object.entries(properties)) {
    const property = resolved(given, root);
    for (const value of [...wrongValues(property, root), ...wrongLists(property, root)])
      found.push({ body: { ...valid, [name]: value }, pointer: `/${name}` });
  }
  return found;
}

/** Objects with several fields wrong: each property and an unknown one; every required field missing, and two unknown. */
export function severalViolationsOf(
  valid: Json,
  schema: Json,
  root: Json,
): { body: Json; names: string[] }[] {
  const { required = [], properties = {} } = schema as { required?: string[]; properties?: Properties };
  const pairs = Object.entries(properties).map(([name, property]) => ({
    body: { ...valid, [name]: wrongValues(resolved(property, root), root)[0], unexpected: 1 },
    names: [name, 'unexpected'],
  }));
  return [...pairs, { body: { unexpected: 1, another: 1 }, names: [...required, 'unexpected', 'another'] }];
}

/** Values that a schema excludes: another type, and beyond each of its limits. */
function wrongValues(schema: Json, root: Json): unknown[] {
  const { minimum, maximum, minLength, maxLength, minItems } = schema as Record<string, number | undefined>;
  const wrong: unknown[] = [isOfType(schema, 'object') || isOfType(schema, 'array') ? 'text' : {}];
  if (!isOfType(schema, 'null')) wrong.push(null);
  if (isOfType(schema, 'integer'))
    wrong.push(1.5, '3', true, maximum === undefined ? TOO_LARGE : maximum + 1);
  if (isOfType(schema, 'string')) wrong.push(1);
  if (isOfType(schema, 'boolean')) wrong.push('true', 1);
  if (schema.format === 'date-time') wrong.push('', 'tomorrow', 1_900_000_000_000);
  if (minimum !== undefined) wrong.push(minimum - 1);
  if (minLength !== undefined && minLength > 0) wrong.push('');
  if (maxLength !== undefined) wrong.push('a'.repeat(maxLength + 1));
  if (minItems !== undefined && minItems > 0) wrong.push([]);
  if ('enum' in schema) wrong.push('nonsense');
  const { enum: members = [] } = resolved((schema.items ?? {}) as Json, root) as { enum?: unknown[] };
  if (members.length > 0) wrong.push(['nonsense'], [1], [members[0], 'nonsense']);
  if (members.length > 0 && schema.uniqueItems === true) wrong.push([members[0], members[0]]);
  return wrong;
}

/** A list of null, one item without a list, and too many items. */
function wrongLists({ items, maxItems }: Json, root: Json): unknown[] {
  const { enum: listed } = resolved((items ?? {}) as Json, root) as { enum?: unknown[] };
  const [item] = listed ?? [];
  if (item === undefined) return [];
  const wrong = [[null], item];
  return maxItems === undefined ? wrong : [...wrong, Array(Number(maxItems) + 1).fill(item)];
}

/** Values at the limits of a schema. */
export function outermostValues(schema: Json): unknown[] {
  const { minimum, maximum, minLength, maxLength } = schema as Record<string, number | undefined>;
  const lengths = [minLength, maxLength].filter((length) => length !== undefined);
  return [...[minimum, maximum].filter((value) => value !== undefined), ...lengths.map((n) => 'é'.repeat(n))];
}

const numberLookalikes = ['', 'abc', '-1', '%2B1', '01', '00', '1.0', '1e1', '0x1', '%201', '1%20'];

/** Invalid texts for a query parameter, percent-encoded. */
export function wrongTexts(schema: Json, root: Json): string[] {
  const { minimum, maximum, maxLength, maxItems, format, items } = schema as {
    items?: Json;
    format?: string;
  } & Record<'minimum' | 'maximum' | 'maxLength' | 'maxItems', number | undefined>;
  if (isOfType(schema, 'integer'))
    return [
      ...['abc', '1.5', '1.0', '1e1', '+1', '%2B1', '01', '-0', '0x1', '1_0', '%201', '1%20', '1,1'],
      '9223372036854775808',
      ...(minimum === undefined ? [] : [String(minimum - 1)]),
      ...(maximum === undefined ? [] : [String(maximum + 1)]),
    ];
  if (isOfType(schema, 'boolean')) return ['yes', '1', 'TRUE', 'true,true'];
  if (format === 'date-time')
    return ['tomorrow', '2026-12-01', '2026-13-01T00:00:00Z', '2026-12-01T00:00:00'];
  if (items) {
    const [valid = ''] = listedValues(items, root);
    const tooMany =
      maxItems === undefined
        ? []
        : [
            Array(maxItems + 1)
              .fill(valid)
              .join(),
          ];
    return ['nonsense', `${valid},`, `,${valid}`, `${valid},nonsense`, ...tooMany];
  }
  const listed = listedValues(schema, root);
  if (listed.length > 0) return ['nonsense', String(listed[0]).toUpperCase(), listed.slice(0, 2).join()];
  const pattern = typeof schema.pattern === 'string' ? new RegExp(schema.pattern, 'u') : undefined;
  const lookalikes = numberLookalikes.filter((text) => pattern?.test(decodeURIComponent(text)) === false);
  return maxLength === undefined ? lookalikes : [...lookalikes, '%C3%A9'.repeat(maxLength + 1), 'a%00'];
}

/** The values of an enumeration, or of the enumeration that a list's items belong to. */
export function listedValues(schema: Json, root: Json): unknown[] {
  const { items, enum: values } = resolved(schema, root) as { items?: Json; enum?: unknown[] };
  return values ?? (items ? listedValues(items, root) : []);
}
