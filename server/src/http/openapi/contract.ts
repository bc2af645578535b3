import type { FastifyInstance } from 'fastify';
import { stringify } from 'yaml';
import { v1Document } from '../v1/document.ts';
import { v2Document } from '../v2/document.ts';
import type { OpenApiDocument } from './openapi.ts';

/** Every version's document, by the prefix of its base address. */
export const documents: Readonly<Record<string, OpenApiDocument>> = { '/v1': v1Document, '/v2': v2Document };

export type Servers = () => ReadonlyArray<{ name: string; origin: string }>;

/** The documents as JSON and YAML, without a key, naming the addresses where this service really runs. */
export function serveContract(app: FastifyInstance, servers: Servers): void {
  for (const [prefix, document] of Object.entries(documents)) {
    const here = () => {
      const running = servers();
      const { origin } = running[0] ?? { origin: '' };
      return {
        ...document,
        info: { ...document.info, contact: { ...document.info.contact, url: `${origin}/` } },
        servers: running.map(({ name, origin }) => ({ url: origin + prefix, description: name })),
        externalDocs: { ...document.externalDocs, url: `${origin}/docs` },
      };
    };
    const headers = { 'access-control-allow-origin': '*', 'cache-control': 'no-cache' };
    app.get(`${prefix}/openapi.json`, async (_, reply) =>
      reply
        .headers(headers)
        .header('content-type', 'application/json')
        .send(JSON.stringify(here(), null, 2)),
    );
    app.get(`${prefix}/openapi.yaml`, async (_, reply) =>
      reply.headers(headers).header('content-type', 'application/yaml').send(writeYaml(here())),
    );
  }
}

export function writeYaml(document: OpenApiDocument): string {
  return stringify(document, { lineWidth: 110, aliasDuplicateObjects: false });
}
