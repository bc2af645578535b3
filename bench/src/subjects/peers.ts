import { writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { requestBytes } from '../load/connection.ts';
import { folder, freePort, type Running, startServer } from '../processes.ts';

const require = createRequire(import.meta.url);

/** The file of a package's command. */
function commandOf(name: string, command: string): string {
  const path = require.resolve(`${name}/package.json`);
  const { bin } = require(path);
  return join(dirname(path), typeof bin === 'string' ? bin : bin[command]);
}

/** json-server, the fake REST service most often picked, on the same orders. It sends them indented. */
export async function startJsonServer(orders: readonly unknown[]): Promise<Running> {
  const port = await freePort();
  const home = folder('json-server');
  writeFileSync(join(home, 'db.json'), JSON.stringify({ orders }));
  return startServer('json-server', {
    command: process.execPath,
    args: [commandOf('json-server', 'json-server'), '--port', String(port), join(home, 'db.json')],
    cwd: home,
    port,
    ready: requestBytes('GET', '/orders'),
  });
}

/** Prism's mock server, on a document whose example is the same orders. */
export async function startPrism(orders: readonly unknown[]): Promise<Running> {
  const port = await freePort();
  const home = folder('prism');
  const document = {
    openapi: '3.1.0',
    info: { title: 'Orders', version: '1.0.0' },
    paths: {
      '/store/orders': {
        get: {
          operationId: 'listOrders',
          security: [{ key: [] }],
          responses: {
            200: {
              description: 'All orders.',
              content: { 'application/json': { schema: { type: 'array' }, example: orders } },
            },
          },
        },
      },
    },
    components: { securitySchemes: { key: { type: 'http', scheme: 'bearer' } } },
  };
  writeFileSync(join(home, 'document.json'), JSON.stringify(document));
  return startServer('prism', {
    command: process.execPath,
    args: [
      commandOf('@stoplight/prism-cli', 'prism'),
      'mock',
      '--host',
      '127.0.0.1',
      '--port',
      String(port),
      join(home, 'document.json'),
    ],
    port,
    ready: requestBytes('GET', '/store/orders', { key: 'any' }),
  });
}

export function versionOf(name: string): string {
  return require(`${name}/package.json`).version;
}
