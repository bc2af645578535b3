import { deployments } from '../../deployment.ts';
import { KEY_CHARACTERS } from '../../key-format.ts';
import type { Servers } from '../server/addresses.ts';

export type Method = 'get' | 'post' | 'put' | 'patch' | 'delete';
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

/** A list of examples of a boolean makes openapi-generator take the object for a map. */
export const described = (schema: object, description: string, example: unknown) => ({
  ...schema,
  description,
  ...(typeof example === 'boolean' ? { example } : { examples: [example] }),
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
export const counted = (description: string, example: unknown) =>
  described({ ...int64Schema, minimum: 0 }, description, example);

export const TITLE = 'Pet Store Service';
export const FOR_DEMONSTRATION = 'For demonstration only, not meant for production use.';

export const tags = [
  { name: 'orders', description: 'Orders placed in the store.' },
  { name: 'pets', description: 'Animals that the store sells.' },
] as const;

export const eventTags = [
  { name: 'events', description: 'What happened in the store, as it happens.' },
  { name: 'webhooks', description: 'What happened in the store, sent to you.' },
  { name: 'messages', description: 'What a webhook is sent.' },
  { name: 'inspector', description: 'What was asked of the store.' },
] as const;

const securitySchemes = {
  apiKey: {
    type: 'http',
    scheme: 'bearer',
    description: `An API key: \`${deployments.production.keyPrefix}\` (production) or \`${deployments.staging.keyPrefix}\` (staging) and ${KEY_CHARACTERS} letters and digits. Sign up in the console and copy it from there. A key opens one store of one deployment, and does not expire unless you choose so when you make it.`,
  },
};

export type Running = ReturnType<Servers>;

/** Where the published documents say that the service runs; those that it serves name its real addresses. */
export const published: Running = [
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
  return (running = published) => ({
    openapi: '3.1.0',
    info: {
      title: TITLE,
      ...info,
      contact: contactAt(running[0].origin),
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: running.map(({ name, origin }) => ({ url: origin + prefix, description: name })),
    security: [{ apiKey: [] }],
    externalDocs: { description: 'The reference, to read and to try.', url: `${running[0].origin}/docs` },
    ...parts,
    components: { securitySchemes, ...components },
  });
}
