import { type BodyOf, readFields } from '../fields/body.ts';
import type { Fields } from '../fields/field.ts';
import { documentPath, type PathOf, readPath } from '../fields/path.ts';
import { documentParameters, type QueryOf, readQuery } from '../fields/query.ts';
import { callerOf } from '../guards/authenticate.ts';
import type { Answer, Handler } from '../server/answer.ts';
import type { Caller } from '../server/caller.ts';
import type { Request } from '../server/request.ts';
import { anyOperationAnswers, forbidden, notFound } from './answers.ts';
import { bodyAnswers } from './document-parts.ts';
import { json, type Method, schemaRef } from './openapi.ts';

/** The JSON body that an operation takes: how it is read and documented. */
export interface Body<T> {
  readonly read: (body: unknown) => T;
  readonly content: { readonly content: object };
  readonly description?: string;
  /** Further media types for the same body: listed as content, they would be as many bodies to generated code. */
  readonly alsoAs?: readonly string[];
  /** How long it may be, if longer than other bodies. */
  readonly mostBytes?: number;
}

/** A body that is an object with these fields and no others, documented under this name. */
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

/** A request as the handler of an operation is given it: read already, and refused if it is not valid. */
type Asked<Path extends Fields, Query extends Fields, Sent> = {
  readonly request: Request;
  readonly caller: Caller;
  readonly query: QueryOf<Query>;
  readonly body: Sent;
} & PathOf<Path>;

/** Everything about one operation of version 2, in the order in which one asks for it. */
export interface Definition<Services, Path extends Fields, Query extends Fields, Sent> {
  readonly operationId: string;
  /** Its method and its path below the base address. */
  readonly at: `${'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'} /${string}`;
  readonly stability: 'beta' | 'experimental';
  readonly tag: string;
  readonly summary: string;
  readonly description: string;
  /** Its ids, by the names that `at` has for them. */
  readonly path?: Path;
  /** Parameters in headers, as the document has them. */
  readonly headers?: readonly object[];
  readonly query?: Query;
  readonly body?: Body<Sent>;
  /** By status; those that every operation of its kind can give come by themselves. */
  readonly answers: Readonly<Record<number, object>>;
  /** Called once, with what the deployment has; what it returns is called for every request. */
  readonly handle: (services: Services) => (asked: Asked<Path, Query, Sent>) => Answer | Promise<Answer>;
}

export interface Operation<Services> {
  readonly operationId: string;
  readonly method: Method;
  readonly path: string;
  /** Media types of the body that it takes; undefined if it takes none. */
  readonly bodyTypes: readonly string[] | undefined;
  readonly mostBodyBytes?: number | undefined;
  readonly document: object;
  readonly open: (services: Services) => Handler;
}

export function operation<
  Services,
  Path extends Fields = None,
  Query extends Fields = None,
  Sent = undefined,
>(definition: Definition<Services, Path, Query, Sent>): Operation<Services> {
  const { operationId, at, path: ids, query, body, handle } = definition;
  const [method = '', path = ''] = at.split(' ');
  return {
    operationId,
    method: method.toLowerCase() as Method,
    path,
    bodyTypes: body && ['application/json', ...(body.alsoAs ?? [])],
    mostBodyBytes: body?.mostBytes,
    document: documentOf(definition, method, path),
    open(services) {
      const answer = handle(services);
      return (request) =>
        answer({
          request,
          caller: callerOf(request),
          // What names nothing is not found, whatever is sent to it.
          ...readPath((ids ?? {}) as Path, request.params),
          query: query ? readQuery(query, request.query) : {},
          body: body?.read(request.body) as Sent,
        });
    },
  };
}

function documentOf<S, P extends Fields, Q extends Fields, B>(
  definition: Definition<S, P, Q, B>,
  method: string,
  path: string,
): object {
  const { operationId, stability, tag, summary, description, query = {}, body, answers } = definition;
  const { path: ids = {}, headers = [] } = definition;
  const parameters = [...documentPath(ids), ...documentParameters(query), ...headers];
  return {
    operationId,
    'x-stability': stability,
    tags: [tag],
    summary,
    description,
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
      ...anyOperationAnswers,
      ...(method !== 'GET' && forbidden),
      ...(body && bodyAnswers),
      ...(path.includes('{') && notFound),
      ...answers,
    },
  };
}

/** The operations as a document has them: by path and method. */
export function pathsOf(operations: ReadonlyArray<Operation<never>>): Record<string, Record<string, object>> {
  const paths: Record<string, Record<string, object>> = {};
  for (const { method, path, document } of operations) paths[path] = { ...paths[path], [method]: document };
  return paths;
}
