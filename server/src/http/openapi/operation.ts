import { type BodyOf, readFields } from '../fields/body.ts';
import type { Fields } from '../fields/field.ts';
import { idOf, isPathId } from '../fields/path-id.ts';
import { documentParameters, type QueryOf, readQuery } from '../fields/query.ts';
import type { Answer, Handler } from '../server/answer.ts';
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
}

/** A body that is an object with these fields and no others, documented under this name. */
export function bodyWith<F extends Fields>(
  schema: string,
  fields: F,
  example: object,
  { mayBeEmpty = true, ...more }: { mayBeEmpty?: boolean; description?: string; alsoAs?: string[] } = {},
): Body<BodyOf<F>> {
  return {
    read: (body) => readFields(fields, body, mayBeEmpty),
    content: json(schemaRef(schema), example),
    ...more,
  };
}

/** Everything about one operation of version 2, in the order in which one asks for it. */
export interface Definition<Services, Query extends Fields, Sent> {
  readonly operationId: string;
  /** Its method and its path below the base address. */
  readonly at: `${'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'} /${string}`;
  readonly stability: 'beta' | 'experimental';
  readonly tag: string;
  readonly summary: string;
  readonly description: string;
  /** Those of the path and of headers, as the document has them. */
  readonly parameters?: readonly object[];
  readonly query?: Query;
  readonly body?: Body<Sent>;
  /** By status; those that every operation of its kind can give come by themselves. */
  readonly answers: Readonly<Record<number, object>>;
  /** Called once, with what the deployment has; what it returns is called for every request. */
  readonly handle: (
    services: Services,
  ) => (request: Request, input: { query: QueryOf<Query>; body: Sent }) => Answer | Promise<Answer>;
}

export interface Operation<Services> {
  readonly operationId: string;
  readonly method: Method;
  readonly path: string;
  /** Media types of the body that it takes; undefined if it takes none. */
  readonly bodyTypes: readonly string[] | undefined;
  readonly document: object;
  readonly open: (services: Services) => Handler;
}

export function operation<Services, Query extends Fields = Record<never, never>, Sent = undefined>(
  definition: Definition<Services, Query, Sent>,
): Operation<Services> {
  const { operationId, at, query, body, handle, parameters = [] } = definition;
  const ids = parameters.flatMap((one) => (isPathId(one) ? [one.name] : []));
  const [method = '', path = ''] = at.split(' ');
  return {
    operationId,
    method: method.toLowerCase() as Method,
    path,
    bodyTypes: body && ['application/json', ...(body.alsoAs ?? [])],
    document: documentOf(definition, method, path),
    open(services) {
      const answer = handle(services);
      return (request) => {
        // What names nothing is not found, whatever is sent to it.
        for (const name of ids) idOf(request, name);
        return answer(request, {
          query: query ? readQuery(query, request.query) : {},
          body: body?.read(request.body) as Sent,
        });
      };
    },
  };
}

function documentOf<S, Q extends Fields, B>(
  definition: Definition<S, Q, B>,
  method: string,
  path: string,
): object {
  const { operationId, stability, tag, summary, description, query = {}, body, answers } = definition;
  const [own = [], others = []] = [definition.parameters, documentParameters(query as Fields)];
  const isHeader = (parameter: object) => !('in' in parameter) || parameter.in === 'header';
  const parameters = [...own.filter((one) => !isHeader(one)), ...others, ...own.filter(isHeader)];
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
