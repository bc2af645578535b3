import type { Database } from '../../database/engine.ts';
import type { Quotas } from '../../domain/quotas.ts';
import type { Writer } from '../../writer/writer.ts';
import type { ResponseCache } from '../content/response-cache.ts';
import { type BodyOf, readFields } from '../fields/body.ts';
import type { Fields } from '../fields/field.ts';
import { documentParameters, type PathOf, type QueryOf, readPath, readQuery } from '../fields/parameters.ts';
import { callerOf } from '../guards/caller.ts';
import { json, type Method, type PathItem, schemaRef, textHeader } from '../openapi/openapi.ts';
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

/** What handlers of any feature work with; some features have more. */
export interface Services {
  readonly db: Database;
  readonly writer: Writer;
  readonly effectiveTime: RequestClock;
  /** The time, whatever moment a request prefers. */
  readonly clock: () => number;
  readonly quotas: Quotas;
  /** The idempotency keys, each with its store, of the orders that are being placed. */
  readonly keysUnderWay: Set<string>;
  readonly cursors: Cursors;
  readonly respondWithPage: RespondWithPage;
  readonly responses: ResponseCache;
}

export interface Body<T> {
  readonly read: (body: unknown) => T;
  readonly content: { readonly content: object };
  readonly description?: string;
  /** Further content types. Generated code would make a body of each if they were listed as content. */
  readonly alsoAs?: readonly string[];
  readonly maxBytes?: number;
}

export function bodyWith<F extends Fields>(
  schema: string,
  fields: F,
  example: object,
  { mayBeEmpty = true, ...more }: { mayBeEmpty?: boolean; description?: string; alsoAs?: string[] } = {},
): Body<BodyOf<F>> {
  return {
    read: (body) => readFields(fields, body, { mayBeEmpty }),
    content: json(schemaRef(schema), example),
    ...more,
  };
}

type None = Record<never, never>;

type Asked<Path extends Fields, Query extends Fields, Sent> = {
  readonly request: Request;
  readonly caller: Caller;
  readonly storeId: bigint;
  readonly query: QueryOf<Query>;
  readonly body: Sent;
} & PathOf<Path>;

interface Definition<Needed, Path extends Fields, Query extends Fields, Sent> {
  readonly operationId: string;
  readonly at: `${'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'} /${string}`;
  readonly summary: string;
  readonly description: string;
  /** The day on which it is withdrawn, if it is deprecated. */
  readonly sunset?: string;
  readonly path?: Path;
  readonly headers?: readonly object[];
  readonly query?: Query;
  readonly body?: Body<Sent>;
  /** Answers that every operation of this kind can give are added to these. */
  readonly responses: Readonly<Record<number, object>>;
  readonly handle: (asked: Asked<Path, Query, Sent>, services: Needed) => Response | Promise<Response>;
}

export interface Operation<Needed> {
  readonly operationId: string;
  readonly method: Method;
  readonly path: string;
  readonly deprecated: boolean;
  readonly document: { readonly summary: string; readonly responses: object };
  /** Makes guards for each deployment: what they let be read at a time is counted by deployment. */
  readonly bodyReader?: (() => readonly Guard[]) | undefined;
  readonly handle: (request: Request, services: Needed) => Response | Promise<Response>;
}

export function operation<Needed, Path extends Fields = None, Query extends Fields = None, Sent = undefined>(
  definition: Definition<Needed, Path, Query, Sent>,
): Operation<Needed> {
  const { operationId, at, path: ids = {} as Path, query, body, handle } = definition;
  const [method = '', path = ''] = at.split(' ');
  // A path that names nothing is not found, whatever is sent to it.
  const checkPath: Guard = ({ params }) => void readPath(ids, params);
  const types = ['application/json', ...(body?.alsoAs ?? [])];
  return {
    operationId,
    method: method.toLowerCase() as Method,
    path,
    deprecated: definition.sunset !== undefined,
    document: documentOf(definition),
    bodyReader: body && (() => [checkPath, readBody(types, body.maxBytes)]),
    handle(request, services) {
      const caller = callerOf(request);
      const asked = {
        request,
        caller,
        storeId: caller.storeId,
        ...readPath(ids, request.params),
        query: query ? readQuery(query, request.query) : {},
        body: body?.read(request.body) as Sent,
      };
      return handle(asked, services);
    },
  };
}

function documentOf(definition: Omit<Definition<never, Fields, Fields, unknown>, 'handle'>) {
  const {
    at,
    summary,
    description,
    sunset,
    path = {},
    query = {},
    headers = [],
    body,
    responses,
  } = definition;
  const parameters = [
    ...documentParameters('path', path),
    ...documentParameters('query', query),
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
      ...(!at.startsWith('GET') && forbidden),
      ...(body && bodyResponses),
      ...(definition.path && notFound),
      ...responses,
    },
  };
}

export interface Feature<Needed> {
  readonly tag: string;
  readonly stability?: string;
  /** Any of its operations can give these. */
  readonly responses?: Readonly<Record<number, object>>;
  readonly operations: ReadonlyArray<Operation<Needed>>;
  readonly schemas: Readonly<Record<string, object>>;
  readonly parameters?: Readonly<Record<string, object>>;
  readonly headers?: Readonly<Record<string, object>>;
  readonly links?: Readonly<Record<string, object>>;
}

export function pathsOf(features: ReadonlyArray<Omit<Feature<never>, 'schemas'>>): Record<string, PathItem> {
  const paths: Record<string, PathItem> = {};
  for (const { tag, stability, responses: shared, operations } of features)
    for (const { operationId, method, path, document } of operations) {
      const responses = { ...shared, ...document.responses };
      const standing = stability && { 'x-stability': stability };
      const documented = { operationId, ...standing, tags: [tag], ...document, responses };
      paths[path] = { ...paths[path], [method]: documented };
    }
  return paths;
}

export const locationHeader = (path: string) => textHeader('URL of the new resource.', 64, path);

export const linkTo = (operationId: string, parameter: string, description: string) => ({
  operationId,
  parameters: { [parameter]: '$response.body#/id' },
  description,
});
