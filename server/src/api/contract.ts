import { type File, fileAnswer, makeFile, makePlainFile } from '../http/content/files.ts';
import type { OpenApiDocument } from '../http/openapi/openapi.ts';
import { madeOnce } from '../http/server/made-once.ts';
import type { Request } from '../http/server/request.ts';
import type { Routes } from '../http/server/routes.ts';
import type { Servers } from '../http/server/servers.ts';
import { v1Document } from '../v1/document.ts';
import { openApi30, openApi32 } from './editions.ts';
import { eventsDocument } from './events-document.ts';
import { v2Document } from './v2-document.ts';
import { documentWriter, type Form, forms } from './write-document.ts';

/** Every version's document, by the prefix of its base address. */
export const documents: Readonly<Record<string, OpenApiDocument>> = { '/v1': v1Document, '/v2': v2Document };

/** Every document as it is published, by the name of its file. */
export const contractFiles: Readonly<Record<string, object>> = {
  v1: v1Document,
  v2: v2Document,
  events: eventsDocument,
};

type Running = ReturnType<Servers>;
/** The parts of a document that name addresses. */
type Named = (running: Running) => object;

/** For so many sets of addresses a document is kept, and compressed. Whoever makes up more gets it as plain text. */
const MOST_KEPT = 4;

const headers = ['access-control-allow-origin', '*', 'cache-control', 'no-cache', 'vary', 'Host'];

/** The documents as JSON and YAML, without a key, naming the addresses where this service really runs. */
export function serveContract(routes: Routes, servers: Servers): void {
  const serve = (path: string, document: () => object, named: Named) => {
    for (const [ending, form] of Object.entries<Form>(forms)) {
      const fileFor = documentFiles(form, document, named);
      const handler = async (request: Request) =>
        fileAnswer(request, await fileFor(servers(request)), headers);
      routes.serve(`${path}.${ending}`, { GET: [handler] });
    }
  };
  const editions = { '': (document: object) => document, '-3.2': openApi32, '-3.0': openApi30 };
  for (const [prefix, document] of Object.entries(documents)) {
    for (const [name, edition] of Object.entries(editions)) {
      const named: Named = (running) => edition(namedIn(document, prefix, running));
      serve(`${prefix}/openapi${name}`, () => edition(document), named);
    }
  }
  serve('/v2/asyncapi', () => eventsDocument, namedInEvents);
}

function documentFiles(form: Form, document: () => object, named: Named) {
  const write = documentWriter(form, document);
  const kept = new Map<string, () => Promise<File>>();
  return async (running: Running): Promise<File> => {
    const addresses = running.map(({ origin }) => origin).join(' ');
    const text = () => write(named(running));
    if (!kept.has(addresses) && kept.size < MOST_KEPT)
      kept.set(
        addresses,
        madeOnce(async () => makeFile(form.type, await text())),
      );
    return kept.get(addresses)?.() ?? makePlainFile(form.type, await text());
  };
}

function namedIn({ info, externalDocs }: OpenApiDocument, prefix: string, running: Running): object {
  const [{ origin }] = running;
  return {
    info: { ...info, contact: { ...info.contact, url: `${origin}/` } },
    servers: running.map(({ name, origin }) => ({ url: origin + prefix, description: name })),
    externalDocs: { ...externalDocs, url: `${origin}/docs` },
  };
}

function namedInEvents(running: Running): object {
  const { info, servers } = eventsDocument;
  const named = running.map(({ name, origin }) => {
    const { host, protocol } = new URL(origin);
    return [name, { ...servers.production, host, protocol: protocol.slice(0, -1) }];
  });
  const contact = { ...info.contact, url: `${running[0].origin}/` };
  return { info: { ...info, contact }, servers: Object.fromEntries(named) };
}
