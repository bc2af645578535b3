import { deployments } from '../../domain/deployment.ts';
import { KEY_LENGTH_AFTER_PREFIX } from '../../domain/key-format.ts';
import type { Servers } from '../server/addresses.ts';

export type Method = 'get' | 'query' | 'post' | 'put' | 'patch' | 'delete';
export type PathItem = Readonly<Partial<Record<Method, DocumentedOperation>>>;

export interface DocumentedOperation {
  readonly operationId: string;
  readonly deprecated?: boolean;
  readonly responses: Readonly<Record<string, object>>;
  readonly [field: string]: unknown;
}

export const schemaRef = (name: string) => ({ $ref: `#/components/schemas/${name}` });
export const headerRef = (name: string) => ({ $ref: `#/components/headers/${name}` });

export const json = (schema: object, example: unknown) => ({
  content: { 'application/json': { schema, example } },
});

export const int64Schema = { type: 'integer', format: 'int64' } as const;
export const utcDateTime = { type: 'string', format: 'date-time' } as const;

/** With a list of boolean examples, openapi-generator treats the object as a map. */
export const described = (schema: object, description: string, example: unknown) => ({
  ...schema,
  description,
  ...(typeof example === 'boolean' ? { example } : example !== undefined && { examples: [example] }),
});

export const listOf = (schema: string, maxItems: number, description: string, more: object = {}) => ({
  type: 'array',
  items: schemaRef(schema),
  ...more,
  maxItems,
  description,
});

export const textHeader = (description: string, maxLength: number, example: string) => ({
  description,
  schema: { type: 'string', maxLength },
  example,
});

/** Always present where it is documented. */
export const requiredHeader = (description: string, maxLength: number, example: string) => ({
  required: true,
  ...textHeader(description, maxLength, example),
});

export const countSchema = (description: string, example: unknown) =>
  described({ ...int64Schema, minimum: 0 }, description, example);

export const TITLE = 'Pet Store Service';
export const DEMO_NOTICE = 'For demonstration only, not meant for production use.';

export const tags = [
  { name: 'orders', description: 'Orders in the store.' },
  { name: 'pets', description: 'Pets that the store sells.' },
] as const;

export const eventTags = [
  { name: 'events', description: 'Every change to the store, as a list or a live stream.' },
  { name: 'webhooks', description: 'Every change to the store, sent to your URL.' },
  { name: 'messages', description: 'Messages sent to webhooks.' },
  { name: 'inspector', description: 'Recent requests to the store.' },
] as const;

const securitySchemes = {
  apiKey: {
    type: 'http',
    scheme: 'bearer',
    description: `An API key: \`${deployments.production.keyPrefix}\` (production) or \`${deployments.staging.keyPrefix}\` (staging), followed by ${KEY_LENGTH_AFTER_PREFIX} letters and digits. Sign up in the console and copy your key there. A key gives access to one store of one deployment, and does not expire unless you set an expiry when you create it.`,
  },
};

export type DocumentedServers = ReturnType<Servers>;

/** Servers in the published documents. The documents that the service returns list its real addresses. */
export const publishedServers: DocumentedServers = [
  { name: 'production', origin: 'http://127.0.0.1:8080' },
  { name: 'staging', origin: 'http://127.0.0.1:8081' },
];

export const contactAt = (origin: string) => ({ name: TITLE, url: `${origin}/` });

interface DocumentContent<Components> {
  readonly prefix: string;
  readonly info: { readonly version: string; readonly summary: string; readonly description: string };
  readonly tags: readonly object[];
  readonly paths: Readonly<Record<string, PathItem>>;
  readonly webhooks?: object;
  readonly components: Components;
}

export type OpenApiDocument = ReturnType<ReturnType<typeof openApiDocument>>;

export function openApiDocument<Components extends { readonly responses: Readonly<Record<string, object>> }>(
  content: DocumentContent<Components>,
) {
  const { prefix, info, components, ...parts } = content;
  return (servers = publishedServers) => ({
    openapi: '3.1.0',
    info: {
      title: TITLE,
      ...info,
      contact: contactAt(servers[0].origin),
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: servers.map(({ name, origin }) => ({ url: origin + prefix, description: name })),
    security: [{ apiKey: [] }],
    externalDocs: { description: 'Interactive API reference.', url: `${servers[0].origin}/docs` },
    ...parts,
    components: { securitySchemes, ...components },
  });
}
