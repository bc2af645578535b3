import type { Database } from '../../database/engine.ts';
import type { Quotas } from '../../domain/quotas.ts';
import type { Writer } from '../../writer/writer.ts';
import type { ResponseCache } from '../content/response-cache.ts';
import { type BodyOf, readFields } from '../fields/body.ts';
import type { Fields } from '../fields/field.ts';
import { documentParameters, type PathOf, type QueryOf, readPath, readQuery } from '../fields/parameters.ts';
import { callerOf } from '../guards/caller.ts';
import { json, type Method, type PathItem, requiredHeader, schemaRef } from '../openapi/openapi.ts';
import {
  anyOperationResponses,
  bodyResponses,
  forbidden,
  ifNoneMatch,
  notFound,
} from '../openapi/responses.ts';
import type { RespondWithPage } from '../pages/page-response.ts';
import type { Cursors } from '../pages/paging.ts';
import type { Caller, Guard, Request, RequestClock, Response } from '../server/request.ts';
import { readBody } from '../server/request-body.ts';

/** Dependencies of every handler; some features extend them. */
export interface Services {
  readonly db: Database;
  readonly writer: Writer;
  readonly effectiveTime: RequestClock;
  /** Wall-clock time, regardless of `Prefer: now`. */
  readonly clock: () => number;
  readonly quotas: Quotas;
  /** Idempotency keys, with their stores, of the orders being placed right now. */
  readonly activeIdempotencyKeys: Set<string>;
  readonly cursors: Cursors;
  readonly respondWithPage: RespondWithPage;
  readonly responses: ResponseCache;
}

export interface Body<T> {
  readonly read: (body: unknown) => T;
  readonly content: { readonly content: object };
  readonly description?: string;
  /** Further content types. Not documented as content: generators would create a body for each. */
  readonly alsoAs?: readonly string[];
  readonly maxBytes?: number;
}

export function bodyWith<F extends Fields>(
  schema: string,
  fields: F,
  example: object,
  { allowEmpty = true, ...more }: { allowEmpty?: boolean; description?: string; alsoAs?: string[] } = {},
): Body<BodyOf<F>> {
  const read = (body: unknown) => readFields(fields, body, { allowEmpty });
  return { read, content: json(schemaRef(schema), example), ...more };
}

type None = Record<never, never>;

type Input<Path extends Fields, Query extends Fields, JsonBody> = PathOf<Path> & {
  readonly request: Request;
  readonly caller: Caller;
  readonly storeId: bigint;
  readonly query: QueryOf<Query>;
  readonly body: JsonBody;
};

interface Definition<Deps, Path extends Fields, Query extends Fields, JsonBody> {
  readonly operationId: string;
  readonly at: `${'GET' | 'QUERY' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'} /${string}`;
  readonly summary: string;
  readonly description: string;
  /** Day of removal, if deprecated. */
  readonly sunset?: string;
  readonly path?: Path;
  readonly headers?: readonly object[];
  readonly query?: Query;
  readonly body?: Body<JsonBody>;
  /** Responses common to all operations of this kind are added. */
  readonly responses: Readonly<Record<number, object>>;
  readonly handle: (input: Input<Path, Query, JsonBody>, services: Deps) => Response | Promise<Response>;
}

export interface Operation<Deps> {
  readonly operationId: string;
  readonly method: Method;
  readonly path: string;
  readonly deprecated: boolean;
  readonly document: { readonly summary: string; readonly responses: object };
  /** Created per deployment: their limit of concurrent long bodies applies to one deployment. */
  readonly createBodyGuards?: (() => readonly Guard[]) | undefined;
  readonly handle: (request: Request, services: Deps) => Response | Promise<Response>;
}

export function operation<
  Deps,
  Path extends Fields = None,
  Query extends Fields = None,
  JsonBody = undefined,
>(definition: Definition<Deps, Path, Query, JsonBody>): Operation<Deps> {
  const { operationId, at, path: ids = {} as Path, query, body, handle } = definition;
  const [method = '', path = ''] = at.split(' ');
  // An invalid id is 404, whatever the body is.
  const checkPath: Guard = ({ params }) => void readPath(ids, params);
  const types = ['application/json', ...(body?.alsoAs ?? [])];
  return {
    operationId,
    method: method.toLowerCase() as Method,
    path,
    deprecated: definition.sunset !== undefined,
    document: documentOf(definition),
    createBodyGuards: body && (() => [checkPath, readBody(types, body.maxBytes)]),
    handle(request, services) {
      const caller = callerOf(request);
      const input = {
        ...readPath(ids, request.params),
        request,
        caller,
        storeId: caller.storeId,
        query: query ? readQuery(query, request.query) : {},
        body: body?.read(request.body) as JsonBody,
      };
      return handle(input, services);
    },
  };
}

function documentOf(definition: Omit<Definition<never, Fields, Fields, unknown>, 'handle'>) {
  const { at, summary, description, sunset, path, query, headers = [], body, responses } = definition;
  const parameters = [
    ...documentParameters('path', path ?? {}),
    ...documentParameters('query', query ?? {}),
    ...headers,
    ...(304 in responses ? [ifNoneMatch] : []),
  ];
  return {
    summary,
    description,
    ...(sunset !== undefined && { deprecated: true, 'x-sunset': sunset }),
    ...(parameters.length > 0 && { parameters }),
    ...(body && {
      requestBody: {
        required: true,
        ...(body.description !== undefined && { description: body.description }),
        ...body.content,
        ...(body.alsoAs && { 'x-also-as': body.alsoAs }),
      },
    }),
    responses: {
      ...anyOperationResponses,
      ...(!/^(GET|QUERY) /.test(at) && forbidden),
      ...(body && bodyResponses),
      ...(path && notFound),
      ...responses,
    },
  };
}

export interface Feature<Deps> {
  readonly tag: string;
  readonly stability?: string;
  /** Added to the responses of each operation. */
  readonly responses?: Readonly<Record<number, object>>;
  readonly operations: ReadonlyArray<Operation<Deps>>;
  readonly schemas: Readonly<Record<string, object>>;
  readonly parameters?: Readonly<Record<string, object>>;
  readonly headers?: Readonly<Record<string, object>>;
  readonly links?: Readonly<Record<string, object>>;
}

/** `withQuery` includes QUERY operations, which only OpenAPI 3.2 can describe. */
export function pathsOf(
  features: ReadonlyArray<Omit<Feature<never>, 'schemas'>>,
  { withQuery = false } = {},
): Record<string, PathItem> {
  const paths: Record<string, PathItem> = {};
  for (const { tag, stability, responses: shared, operations } of features)
    for (const { operationId, method, path, document } of operations) {
      if (method === 'query' && !withQuery) continue;
      const responses = { ...shared, ...document.responses };
      const marker = stability && { 'x-stability': stability };
      paths[path] = {
        ...paths[path],
        [method]: { operationId, ...marker, tags: [tag], ...document, responses },
      };
    }
  return paths;
}

export const locationHeader = (path: string) => requiredHeader('URL of the new resource.', 64, path);

export const linkTo = (operationId: string, parameter: string, description: string) => ({
  operationId,
  parameters: { [parameter]: '$response.body#/id' },
  description,
});
