import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import type { Response } from '../responses.ts';
import type { GeneratedRequest } from './generate-request.ts';
import { operationAt, type Schema } from './operations.ts';
import type { Stage, Store } from './stage.ts';

export type CheckResponse = (request: GeneratedRequest, response: Response) => string | undefined;

/** Orders with a greater ID were created during the run. */
const DEMONSTRATION_ORDERS = 40;
/** Permitted statuses of a request without a valid key. */
const unauthenticatedStatuses = new Set([400, 401, 414, 429, 431]);
const rejectionStatuses = new Set([400, 401, 405, 413, 414, 415, 431]);
const errorSchema = {
  type: 'object',
  required: ['code', 'message', 'status'],
  properties: {
    code: { type: 'string', pattern: '^[a-z_]+$' },
    message: { type: 'string', minLength: 1 },
    status: { type: 'integer' },
    pointer: { type: 'string' },
  },
  additionalProperties: false,
};

/** Describes what is wrong with a response; undefined if it conforms to its document. */
export function responseChecker({ documents, operations, isOwn }: Stage): CheckResponse {
  const ajv = new Ajv2020({
    strict: false,
    formats: {
      int64: { type: 'number', validate: Number.isInteger },
      'date-time': /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/,
    },
  });
  for (const { prefix, components } of documents) ajv.addSchema({ $id: prefix.slice(1), components });
  const isError = ajv.compile(errorSchema);
  const validators = new Map<string, ValidateFunction>();
  const validator = (prefix: string, schema: Schema) => {
    const text = JSON.stringify(schema).replaceAll('"#/', `"${prefix.slice(1)}#/`);
    const validator = validators.get(text) ?? ajv.compile(JSON.parse(text));
    validators.set(text, validator);
    return validator;
  };

  function findBodyProblem(
    request: GeneratedRequest,
    { status, headers, body }: Response,
  ): string | undefined {
    if (request.method === 'HEAD' || status === 204 || status === 304) return undefined;
    const type = headers.get('content-type') ?? 'none';
    const isJson = /^application\/json(; charset=utf-8)?$/.test(type);
    if (status >= 300) {
      if (!isJson) return `its content type is ${type}`;
      const error = parseJson(body);
      if (!isError(error)) return 'its body is not an Error';
      return (error as { status: number }).status === status ? undefined : 'its body names another status';
    }
    const operation = operationAt(operations, request.method, request.path);
    const content = operation?.responses?.[status]?.content;
    if (!operation || !content || headers.get('content-encoding') !== undefined) return undefined;
    if (!Object.hasOwn(content, type.replace(/;.*/, ''))) return `its content type is ${type}`;
    if (!isJson) return undefined;
    const value = parseJson(body);
    const validate = validator(operation.prefix, content['application/json']?.schema ?? {});
    if (!validate(value)) return `its body breaks its schema: ${ajv.errorsText(validate.errors)}`;
    return isOwn ? findForeignRow(value, request.store) : undefined;
  }

  return (request, response) => {
    const { status, headers } = response;
    const id = headers.get('x-request-id');
    if (id === undefined || id === '') return 'there is no X-Request-Id';
    // Bytes that never became a request get a generated request ID.
    const isUnparsed = status === 400 || status === 414 || status === 431;
    if (!isUnparsed && id !== request.requestId) return `its X-Request-Id is ${id}`;
    if (status >= 500) return 'it is a server error';
    const operation = operationAt(operations, request.method, request.path);
    const isPreflight = request.method === 'OPTIONS';
    if (operation?.responses && !operation.responses[status] && status !== 414 && status !== 431)
      return 'its status is not documented';
    if (
      !request.isAuthenticated &&
      !isPreflight &&
      !unauthenticatedStatuses.has(status) &&
      isApiPath(request.path)
    )
      return 'it was accepted without a key';
    if (request.expects === 'accepted' && rejectionStatuses.has(status))
      return 'a valid request was rejected';
    if (request.expects === 'rejected' && status < 400 && !isPreflight)
      return 'an invalid request was accepted';
    return findBodyProblem(request, response);
  };
}

function isApiPath(path: string): boolean {
  return /^\/v[12]\//.test(path) && !path.includes('..') && !path.includes('openapi');
}

function parseJson(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString());
  } catch {
    return undefined;
  }
}

/** Describes a row that was written to another store; `mark` says how they are recognized. */
function findForeignRow(value: unknown, { mark }: Store): string | undefined {
  for (const row of rowsOf(value)) {
    const { id, name, quantity } = row as { id?: unknown; name?: unknown; quantity?: unknown };
    const other = typeof name === 'string' ? /^(\d+)~/.exec(name)?.[1] : undefined;
    if (other !== undefined && Number(other) !== mark)
      return `it shows a pet of another store: ${JSON.stringify(row)}`;
    const isPlaced = typeof quantity === 'number' && Number(id) > DEMONSTRATION_ORDERS;
    if (isPlaced && (quantity as number) % 2 !== mark % 2)
      return `it shows an order of another store: ${JSON.stringify(row)}`;
  }
  return undefined;
}

function rowsOf(value: unknown): unknown[] {
  if (Array.isArray(value)) return value;
  const data = (value as { data?: unknown } | null)?.data;
  return Array.isArray(data) ? data : [value ?? {}];
}
