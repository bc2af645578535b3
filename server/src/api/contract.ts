import type { ServerAddress } from '../deployment.ts';
import { type File, fileAnswer, makeFile, makePlainFile } from '../http/content/files.ts';
import type { OpenApiDocument, Running } from '../http/openapi/openapi.ts';
import type { Servers } from '../http/server/addresses.ts';
import type { Request } from '../http/server/request.ts';
import type { Routes } from '../http/server/routes.ts';
import { madeOnce } from '../made-once.ts';
import { v1Document, v1DocumentAt } from '../v1/document.ts';
import { openApi30, openApi32 } from './editions.ts';
import { eventsDocumentAt } from './events-document.ts';
import { v2Document, v2DocumentAt } from './v2-document.ts';

export const documents: Readonly<Record<string, OpenApiDocument>> = { '/v1': v1Document, '/v2': v2Document };

const forms = {
  json: (document: object) => JSON.stringify(document, null, 2),
  yaml: writeYaml,
};

/** A document is kept compressed for so many sets of addresses. Whoever makes up more gets plain text. */
const MOST_KEPT = 4;

const headers = ['access-control-allow-origin', '*', 'cache-control', 'no-cache', 'vary', 'Host'];

/** Needs no key, and names the addresses where this service really runs. */
export function serveContract(routes: Routes, servers: Servers): void {
  const serve = (path: string, document: (running: Running) => object) => {
    for (const [ending, write] of Object.entries(forms)) {
      const fileFor = documentFiles(`application/${ending}`, async (running) => write(document(running)));
      const handler = async (request: Request) =>
        fileAnswer(request, await fileFor(servers(request)), headers);
      routes.serve(`${path}.${ending}`, { GET: [handler] });
    }
  };
  const editions = { '': (document: object) => document, '-3.2': openApi32, '-3.0': openApi30 };
  for (const [name, edition] of Object.entries(editions)) {
    serve(`/v1/openapi${name}`, (running) => edition(v1DocumentAt(running)));
    serve(`/v2/openapi${name}`, (running) => edition(v2DocumentAt(running)));
  }
  serve('/v2/asyncapi', eventsDocumentAt);
}

/** Writes a document once, with a name in place of each host: the hosts are put in for whoever asks. */
function documentFiles(type: string, write: (running: Running) => Promise<string>) {
  const written = new Map<string, () => Promise<string>>();
  const kept = new Map<string, () => Promise<File>>();

  const textFor = async (running: Running) => {
    const named = running.map(({ name, origin }) => ({ name, origin: withHost(origin, placeholder(name)) }));
    const addresses = addressesOf(named);
    const once = written.get(addresses) ?? madeOnce(() => write(named as unknown as Running));
    written.set(addresses, once);
    return running.reduce(
      (text, { name, origin }) => text.replaceAll(placeholder(name), new URL(origin).host),
      await once(),
    );
  };

  return async (running: Running): Promise<File> => {
    const addresses = addressesOf(running);
    const compressed = madeOnce(async () => makeFile(type, await textFor(running)));
    if (!kept.has(addresses) && kept.size < MOST_KEPT) kept.set(addresses, compressed);
    return kept.get(addresses)?.() ?? makePlainFile(type, await textFor(running));
  };
}

const placeholder = (name: string) => `${name}.invalid`;
const withHost = (origin: string, host: string) => `${new URL(origin).protocol}//${host}`;
const addressesOf = (running: readonly ServerAddress[]) => running.map(({ origin }) => origin).join(' ');

export async function writeYaml(document: object): Promise<string> {
  const { stringify } = await import('yaml');
  // Readers of YAML 1.1 make dates of what is not quoted.
  return stringify(document, { compat: 'yaml-1.1', lineWidth: 110, aliasDuplicateObjects: false });
}
