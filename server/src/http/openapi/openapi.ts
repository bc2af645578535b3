import { deployments } from '../../deployment.ts';
import { KEY_CHARACTERS } from '../../key-format.ts';

export interface OpenApiDocument {
  readonly openapi: string;
  readonly info: { readonly contact: { readonly name: string }; readonly [field: string]: unknown };
  readonly externalDocs: { readonly description: string };
  readonly servers: ReadonlyArray<{ url: string; description: string }>;
  readonly paths: Readonly<Record<string, PathItem>>;
  readonly components: object;
  readonly [extension: string]: unknown;
}

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

/** The documents name this address; those that the service serves name its real one. */
const origin = 'http://127.0.0.1:8080';
export const TITLE = 'Pet Store Service';
export const FOR_DEMONSTRATION = 'For demonstration only, not meant for production use.';
export const about = {
  contact: { name: TITLE, url: `${origin}/` },
  license: { name: 'MIT', identifier: 'MIT' },
};
export const externalDocs = { description: 'The reference, to read and to try.', url: `${origin}/docs` };

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

export const securitySchemes = {
  apiKey: {
    type: 'http',
    scheme: 'bearer',
    description: `An API key: \`${deployments.production.keyPrefix}\` (production) or \`${deployments.staging.keyPrefix}\` (staging) and ${KEY_CHARACTERS} letters and digits. Sign up in the console and copy it from there. A key opens one store of one deployment, and does not expire unless you choose so when you make it.`,
  },
};
