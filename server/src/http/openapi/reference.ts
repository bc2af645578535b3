import Fastify from 'fastify';
import { type File, makeFile } from '../content/files.ts';
import { documents } from './contract.ts';

const paths = { 'index.html': '', 'js/scalar.js': 'js/scalar.js' };

/** The files of the API reference. A package has them ready-made. */
export async function makeReference(): Promise<ReadonlyMap<string, File>> {
  const { default: scalar } = await import('@scalar/fastify-api-reference');
  const reference = Fastify();
  await reference.register(scalar, {
    routePrefix: '/docs',
    configuration: {
      pageTitle: 'Pet Store API',
      sources: Object.keys(documents).map((prefix) => ({
        title: prefix.slice(1),
        url: `${prefix}/openapi.json`,
      })),
      withDefaultFonts: false,
      hideClientButton: true,
      telemetry: false,
      agent: { disabled: true },
      mcp: { disabled: true },
      showDeveloperTools: 'never',
    },
  });
  const made = Object.entries(paths).map(async ([name, path]): Promise<[string, File]> => {
    const { headers, body } = await reference.inject(`/docs/${path}`);
    return [name, await makeFile(String(headers['content-type']), body)];
  });
  return new Map(await Promise.all(made));
}
