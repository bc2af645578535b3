import { readFileSync } from 'node:fs';
import type { IncomingHttpHeaders } from 'node:http';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import { parse } from 'yaml';

export interface Seen {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
}

interface Response {
  readonly $ref?: string;
  readonly headers?: Record<string, unknown>;
  readonly content?: Record<string, { schema: object }>;
}

interface Contract {
  readonly paths: Record<string, Record<string, { responses: Record<string, Response> }>>;
  readonly components: { responses: Record<string, Response>; schemas: object };
}

const read = (version: string) =>
  parse(readFileSync(new URL(`../../../contract/${version}.yaml`, import.meta.url), 'utf8')) as Contract;
const contracts: Readonly<Record<string, Contract>> = { v1: read('v1'), v2: read('v2') };

const templates = Object.values(contracts).flatMap(({ paths }) => Object.keys(paths));
const pathPatterns = new Map(
  templates.map((template) => [template, new RegExp(`^${template.replace(/\{\w+\}/g, '[^/%]+')}$`)]),
);

const ajv = new Ajv2020({
  strict: false,
  // `npm run check:contract` validates the schemas themselves.
  validateSchema: false,
  formats: {
    int32: { type: 'number', validate: (value: number) => Number.isInteger(value) && (value | 0) === value },
    int64: { type: 'number', validate: Number.isInteger },
    date: /^\d{4}-\d\d-\d\d$/,
    'date-time': /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/,
  },
});
for (const [version, { components }] of Object.entries(contracts)) {
  ajv.addSchema({ $id: version, components });
}
const validators = new Map<string, ValidateFunction>();
const isErrorOfV1 = validator('v1', { $ref: '#/components/schemas/Error' });
const isError = validator('v2', { $ref: '#/components/schemas/ErrorBody' });

/** Throws unless the document allows the response to this request. */
export function checkAgainstContract(method: string, target: string, seen: Seen): void {
  const wrong = generalProblem(method, target, seen) ?? contractProblem(method, target, seen);
  if (wrong !== undefined) {
    throw new Error(`${method} ${target} returned ${seen.status} ${seen.text.slice(0, 200)}: ${wrong}`);
  }
}

/** What is wrong with a response, even if its operation is not documented. */
function generalProblem(method: string, target: string, seen: Seen): string | undefined {
  if (!seen.headers['x-request-id']) return 'it has no X-Request-Id';
  if (method === 'HEAD' || seen.status === 204 || seen.status === 304) {
    return seen.text === '' ? undefined : 'it has a body';
  }
  if (seen.status < 300) return undefined;
  if (!isJson(seen)) return `its content type is ${seen.headers['content-type']}`;
  const body = JSON.parse(seen.text) as { status: number };
  const isValid = target.startsWith('/v1') ? isErrorOfV1 : isError;
  if (!isValid(body)) return 'it is not an Error';
  return body.status === seen.status ? undefined : 'its body names another status';
}

function contractProblem(method: string, target: string, seen: Seen): string | undefined {
  const version = target.slice(1, 3);
  const contract = contracts[version];
  const operation = contract && operationFor(contract, method, target.slice(3));
  if (!operation)
    return contract && mustBeDocumented(method, target) && seen.status < 300
      ? 'it is not documented'
      : undefined;
  const response = dereferenced(contract, operation.responses[seen.status]);
  // It is looked up as GET, which lacks the statuses of a rejected body.
  if (!response && method === 'QUERY') return undefined;
  if (!response) return 'the status is not documented';
  // Headers that only some responses have: Link, Idempotent-Replayed, RateLimit.
  const isOptional = (name: string) =>
    name === 'Idempotent-Replayed' ||
    name.startsWith('RateLimit') ||
    (name === 'Link' && (method === 'HEAD' || /"nextCursor":null\}$/.test(seen.text)));
  const missing = Object.keys(response.headers ?? {}).find(
    (name) => seen.headers[name.toLowerCase()] === undefined && !isOptional(name),
  );
  if (missing !== undefined) return `it has no ${missing}`;
  if (method === 'HEAD' || seen.headers['content-encoding'] !== undefined) return undefined;
  const schema = response.content?.['application/json']?.schema;
  if (!schema) return seen.text === '' ? undefined : 'it has a body';
  if (!isJson(seen)) return `its content type is ${seen.headers['content-type']}`;
  const validate = validator(version, schema);
  return validate(JSON.parse(seen.text)) ? undefined : ajv.errorsText(validate.errors);
}

function dereferenced(contract: Contract, response: Response | undefined): Response | undefined {
  const name = response?.$ref?.split('/').at(-1);
  return name === undefined ? response : contract.components.responses[name];
}

function isJson({ headers }: Seen): boolean {
  return /^application\/json(; charset=utf-8)?$/.test(headers['content-type'] ?? '');
}

function validator(version: string, schema: object): ValidateFunction {
  const text = JSON.stringify(schema).replaceAll('"#/', `"${version}#/`);
  const known = validators.get(text) ?? ajv.compile(JSON.parse(text));
  validators.set(text, known);
  return known;
}

/** Whether success needs a documented operation: not for documents, preflights and unusual spellings. */
function mustBeDocumented(method: string, target: string): boolean {
  return method !== 'OPTIONS' && !/^\/v\d\/[\w./-]+\.(json|yaml)|%/.test(target);
}

/** The documented operation of a request target (QUERY responds like GET); none for unusual spellings. */
function operationFor({ paths }: Contract, method: string, target: string) {
  const path = target.replace(/\?.*$/s, '');
  const found = Object.keys(paths).find((template) => pathPatterns.get(template)?.test(path));
  return found && paths[found]?.[/^(HEAD|QUERY)$/.test(method) ? 'get' : method.toLowerCase()];
}
