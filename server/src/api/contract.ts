import type { Servers } from '../deployment.ts';
import { fileAnswer, makeFile } from '../http/content/files.ts';
import type { OpenApiDocument } from '../http/openapi/openapi.ts';
import { madeOnce } from '../http/server/made-once.ts';
import type { Request } from '../http/server/request.ts';
import type { Routes } from '../http/server/routes.ts';
import { v1Document } from '../v1/document.ts';
import { openApi30, openApi32 } from './editions.ts';
import { eventsDocument } from './events-document.ts';
import { v2Document } from './v2-document.ts';

/** Every version's document, by the prefix of its base address. */
export const documents: Readonly<Record<string, OpenApiDocument>> = { '/v1': v1Document, '/v2': v2Document };

/** Every document as it is published, by the name of its file. */
export const contractFiles: Readonly<Record<string, object>> = {
  v1: v1Document,
  v2: v2Document,
  events: eventsDocument,
};

const headers = ['access-control-allow-origin', '*', 'cache-control', 'no-cache'];

/** The documents as JSON and YAML, without a key, naming the addresses where this service really runs. */
export function serveContract(routes: Routes, servers: Servers): void {
  const serve = (path: string, here: () => object) => {
    const forms = {
      json: ['application/json', async () => JSON.stringify(here(), null, 2)],
      yaml: ['application/yaml', () => writeYaml(here())],
    } as const;
    for (const [ending, [type, write]] of Object.entries(forms)) {
      // The addresses are known once the service listens, before anyone can ask, and stay as they are.
      const file = madeOnce(async () => makeFile(type, await write()));
      const handler = async (request: Request) => fileAnswer(request, await file(), headers);
      routes.serve(`${path}.${ending}`, { GET: [handler] });
    }
  };
  for (const [prefix, document] of Object.entries(documents)) {
    const running = () => {
      const all = servers();
      const { origin } = all[0] ?? { origin: '' };
      return {
        ...document,
        info: { ...document.info, contact: { ...document.info.contact, url: `${origin}/` } },
        servers: all.map(({ name, origin }) => ({ url: origin + prefix, description: name })),
        externalDocs: { ...document.externalDocs, url: `${origin}/docs` },
      };
    };
    serve(`${prefix}/openapi`, running);
    serve(`${prefix}/openapi-3.2`, () => openApi32(running()));
    serve(`${prefix}/openapi-3.0`, () => openApi30(running()));
  }
  serve('/v2/asyncapi', () => {
    const all = servers();
    const { info } = eventsDocument;
    const running = all.map(({ name, origin }) => {
      const { host, protocol } = new URL(origin);
      const { production } = eventsDocument.servers;
      return [name, { ...production, host, protocol: protocol.slice(0, -1) }];
    });
    const contact = { ...info.contact, url: `${all[0]?.origin}/` };
    return { ...eventsDocument, info: { ...info, contact }, servers: Object.fromEntries(running) };
  });
}

/** Loads what writes YAML when somebody wants YAML: few do. */
export async function writeYaml(document: object): Promise<string> {
  const { stringify } = await import('yaml');
  // Readers of YAML 1.1 make dates of what is not quoted.
  return stringify(document, { compat: 'yaml-1.1', lineWidth: 110, aliasDuplicateObjects: false });
}
