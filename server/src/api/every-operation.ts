import { commonHeaders } from '../http/openapi/responses.ts';

/** Adds HEAD and shared headers, in OpenAPI 3.2 only: each method of a generated client would get a parameter per header. */

interface DescribedResponse {
  readonly $ref?: string;
  readonly headers?: object;
  readonly content?: object;
}
type Responses = Readonly<Record<string, DescribedResponse>>;
interface DescribedOperation {
  readonly operationId: string;
  readonly summary?: string;
  readonly parameters?: readonly object[];
  readonly responses: Responses;
}
export type DescribedPaths = Readonly<Record<string, Readonly<Record<string, DescribedOperation>>>>;

interface Components {
  readonly schemas: object;
  readonly parameters?: object;
  readonly headers?: object;
  readonly responses?: Responses;
}

const { schema, example } = commonHeaders.RequestId;

const parameters = {
  RequestId: {
    name: 'X-Request-Id',
    in: 'header',
    description: 'Your own request id, returned in the response. An invalid one is replaced.',
    schema,
    example,
  },
  Prefer: {
    name: 'Prefer',
    in: 'header',
    description:
      'Preferences of the sandbox (RFC 7240), such as `code=503`, `fault=delay; ms=2000` or `now="2030-12-06T00:00:00Z"`. Ignored on production.',
    schema: { type: 'string', maxLength: 1000 },
    example: 'code=503',
  },
};

const headers = {
  PreferenceApplied: {
    description: 'The preferences that were applied. Only on staging.',
    schema: { type: 'string', maxLength: 1000 },
    example: 'code=503',
  },
};

const sharedParameters = Object.keys(parameters).map((name) => ({ $ref: `#/components/parameters/${name}` }));
const sharedHeaders = { 'Preference-Applied': { $ref: '#/components/headers/PreferenceApplied' } };

const withHeaders = (responses: Responses): Responses =>
  mapValues(responses, (response) =>
    response.$ref ? response : { ...response, headers: { ...response.headers, ...sharedHeaders } },
  );

/** HEAD has the responses of GET without their bodies. */
function headOf(get: DescribedOperation, shared: Responses): DescribedOperation {
  const name = get.operationId.replace(/^./, (letter) => letter.toUpperCase());
  const responses = mapValues(get.responses, ({ $ref, ...response }) => {
    const { content: _, ...rest } = $ref ? (shared[$ref.split('/').at(-1) ?? ''] ?? response) : response;
    return rest;
  });
  return { ...get, operationId: `head${name}`, summary: `${get.summary}: headers only`, responses };
}

export function withHeadAndPreferences(paths: DescribedPaths, components: Components) {
  const shared = withHeaders(components.responses ?? {});
  const operations = mapValues(paths, (item) => {
    const described = mapValues(item, (operation) => ({
      ...operation,
      parameters: [...(operation.parameters ?? []), ...sharedParameters],
      responses: withHeaders(operation.responses),
    }));
    return described.get ? { ...described, head: headOf(described.get, shared) } : described;
  });
  return {
    paths: operations,
    components: {
      ...components,
      parameters: { ...components.parameters, ...parameters },
      headers: { ...components.headers, ...headers },
      responses: shared,
    },
  };
}

const mapValues = <From, To>(record: Readonly<Record<string, From>>, change: (value: From) => To) =>
  Object.fromEntries(Object.entries(record).map(([name, value]) => [name, change(value)]));
