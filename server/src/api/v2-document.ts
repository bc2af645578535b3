import type { StreamServices } from '../events/event-stream.ts';
import { eventsFeature } from '../events/events.http.ts';
import { DEMO_NOTICE, eventTags, openApiDocument, tags } from '../http/openapi/openapi.ts';
import { commonHeaders, commonResponses, ifNoneMatchParameter } from '../http/openapi/responses.ts';
import { errorSchemas } from '../http/openapi/schemas.ts';
import { type Feature, pathsOf } from '../http/operations/operation.ts';
import { ordersFeature } from '../orders/orders-feature.ts';
import { transitions } from '../orders/states.ts';
import { petsFeature } from '../pets/pets.http.ts';
import { requestsFeature } from '../requests/list-requests.http.ts';
import type { SandboxServices } from '../sandbox/sandbox.ts';
import { sandboxFeature, sandboxTag } from '../sandbox/sandbox-feature.ts';
import { summaryFeature } from '../summary/get-summary.http.ts';
import { documentedWebhooks } from '../webhooks/documented-webhooks.ts';
import type { WebhookServices } from '../webhooks/webhook-view.ts';
import { webhooksFeature } from '../webhooks/webhooks.http.ts';

export type V2Services = StreamServices & WebhookServices & SandboxServices;

export const features: ReadonlyArray<Feature<V2Services>> = [
  ordersFeature,
  summaryFeature,
  petsFeature,
  eventsFeature,
  requestsFeature,
  webhooksFeature,
  sandboxFeature,
];

export const v2Operations = features.flatMap(({ operations }) => operations);

const mergeComponents = (part: 'schemas' | 'parameters' | 'headers' | 'links'): Record<string, object> =>
  Object.assign({}, ...features.map((feature) => feature[part]));

function tagsOf(stability: string): string {
  const all = features.filter((feature) => feature.stability === stability).map(({ tag }) => tag);
  return [...new Set(all)].join(', ').replace(/, (?=[^,]*$)/, ' and ');
}

/** Version 2 of the API, published as `contract/v2.yaml`. */
export const buildV2Document = openApiDocument({
  prefix: '/v2',
  info: {
    version: '2.0.0-beta.1',
    summary: 'The orders and pets of one store, with filters, pagination and the full order lifecycle.',
    description: [
      `Uses the same stores, API keys and error format as [version 1](/docs/v1), which is stable. ${DEMO_NOTICE}`,
      `Version 2 is a beta. Operations on ${tagsOf('beta')} are \`beta\`: they may still change. Operations on ${tagsOf('experimental')}, and \`/mcp\`, are \`experimental\`: they may change or be removed.`,
      'Responses may gain new fields: ignore fields you do not know. Requests are strict: an unknown body field is rejected, and so is an unknown query parameter on operations that have query parameters.',
      'Lists are paginated. Follow `nextCursor` until it is null: every order that exists for the whole iteration is returned exactly once, even if orders are placed or cancelled in the meantime.',
      'A path id that is not a plain decimal int64 returns 404. Parameters with several values, such as `status`, are comma-separated or repeated.',
      `An order has ${Object.keys(transitions).length} transitions: ${Object.entries(transitions)
        .map(([name, { from, to }]) => `${name} (${from} → ${to})`)
        .join(', ')}.`,
      "A pet's stock is never negative. Its stock plus the units in its orders that are not cancelled stays constant, unless you set the stock yourself.",
      '`HEAD` works wherever `GET` does. Other methods that a path does not support return 405 with `Allow`. An `X-Request-Id` that you send is returned. On staging, `Prefer` takes the preferences of the [sandbox](/docs/v2#resetSandbox), and `Preference-Applied` names those that took effect.',
      'Also available: [OpenAPI 3.2](/v2/openapi-3.2.yaml) and [3.0](/v2/openapi-3.0.yaml), [AsyncAPI](/v2/asyncapi.yaml) of the events, [Arazzo workflows](/v2/arazzo.yaml), and [overlays](/v2/overlays/stainless.yaml) for generators.',
      'Integers are exact to 64 bits. In request bodies, integers follow JSON Schema (`3` and `3.0` are equal) and dates follow RFC 3339; `+0000` is accepted for `+00:00`.',
    ].join('\n\n'),
  },
  tags: [...tags, ...eventTags, sandboxTag],
  paths: pathsOf(features),
  webhooks: documentedWebhooks,
  components: {
    parameters: { IfNoneMatch: ifNoneMatchParameter, ...mergeComponents('parameters') },
    headers: { ...commonHeaders, ...mergeComponents('headers') },
    links: mergeComponents('links'),
    schemas: { ...mergeComponents('schemas'), ...errorSchemas },
    responses: commonResponses,
  },
});

export const v2Document = buildV2Document();

/** Includes QUERY operations, which only OpenAPI 3.2 can describe. */
export const v2Paths = pathsOf(features, { withQuery: true });

export function hintForV2(method: string, path: string): string | undefined {
  const found = v2Operations.find(
    (operation) => operation.path === path && operation.method === method.toLowerCase(),
  );
  if (!found) return undefined;
  const { summary } = found.document;
  const orConsole = found.operationId === 'placeOrder' ? ', or in the console' : '';
  return `Not supported in version 1. ${summary} with ${method} /v2${path} of version 2 (beta)${orConsole}.`;
}
