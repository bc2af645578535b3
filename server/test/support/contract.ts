import { readFileSync } from 'node:fs';
import type { IncomingHttpHeaders } from 'node:http';
import { Ajv2020 } from 'ajv/dist/2020.js';
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

const contract = parse(
  readFileSync(new URL('../../../contract/v1.yaml', import.meta.url), 'utf8'),
) as Contract;

const ajv = new Ajv2020({
  strict: false,
  formats: {
    int64: { type: 'number', validate: Number.isInteger },
    'date-time': /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/,
  },
});
ajv.addSchema({ $id: 'contract', components: contract.components });
const isError = validator({ $ref: '#/components/schemas/Error' });

/** Throws unless the answer is one that the document promises for this request. */
export function checkAgainstContract(method: string, target: string, seen: Seen): void {
  const fail = (why: string): never => {
    throw new Error(`${method} ${target} answered ${seen.status} ${seen.text.slice(0, 200)}: ${why}`);
  };
  if (!seen.headers['x-request-id']) fail('there is no X-Request-Id');
  if (method === 'HEAD' || seen.status === 204 || seen.status === 304) {
    if (seen.text !== '') fail('it has a body');
  } else if (seen.status >= 300) {
    if (seen.headers['content-type'] !== 'application/json; charset=utf-8' && !isJson(seen))
      fail(`its content type is ${seen.headers['content-type']}`);
    const body: unknown = JSON.parse(seen.text);
    if (!isError(body)) fail('it is not an Error');
    if ((body as { status: number }).status !== seen.status) fail('its status is another one');
  }
  const operation = operationFor(method, target);
  if (operation) checkResponse(operation.responses[seen.status], method, seen, fail);
}

function checkResponse(
  documented: Response | undefined,
  method: string,
  seen: Seen,
  fail: (why: string) => never,
): void {
  if (!documented) return fail('the status is not documented');
  const name = documented.$ref?.split('/').at(-1);
  const response = name === undefined ? documented : (contract.components.responses[name] as Response);
  for (const header of Object.keys(response.headers ?? {})) {
    if (seen.headers[header.toLowerCase()] === undefined) fail(`there is no ${header}`);
  }
  if (method === 'HEAD') return;
  const schema = response.content?.['application/json']?.schema;
  if (!schema) return seen.text === '' ? undefined : fail('it has a body');
  if (seen.headers['content-encoding'] !== undefined) return;
  if (!isJson(seen)) fail(`its content type is ${seen.headers['content-type']}`);
  const validate = validator(schema);
  if (!validate(JSON.parse(seen.text))) fail(ajv.errorsText(validate.errors));
}

function isJson({ headers }: Seen): boolean {
  return /^application\/json(; charset=utf-8)?$/.test(headers['content-type'] ?? '');
}

function validator(schema: object) {
  const text = JSON.stringify(schema).replaceAll('"#/', '"contract#/');
  return ajv.getSchema(text) ?? ajv.compile({ ...JSON.parse(text), $id: text });
}

/** The documented operation that a request target names; none for a target that is written unusually. */
function operationFor(method: string, target: string) {
  const path = target.replace(/\?.*$/s, '');
  for (const [template, item] of Object.entries(contract.paths)) {
    const shape = new RegExp(`^/v1${template.replace(/\{\w+\}/, '[^/%]+')}$`);
    if (shape.test(path)) return item[method === 'HEAD' ? 'get' : method.toLowerCase()];
  }
  return undefined;
}
