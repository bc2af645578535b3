import { writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { createFolder, freePort, type RunningServer, startServer } from '../processes.ts';

const require = createRequire(import.meta.url);

/** json-server, the most popular fake REST server, with the same orders. It indents its JSON. */
export async function startJsonServer(orders: readonly unknown[]): Promise<RunningServer> {
  const port = await freePort();
  const home = createFolder('json-server');
  writeFileSync(join(home, 'db.json'), JSON.stringify({ orders }));
  const manifest = require.resolve('json-server/package.json');
  return startServer('json-server', {
    command: process.execPath,
    args: [join(dirname(manifest), require(manifest).bin), '--port', String(port), join(home, 'db.json')],
    cwd: home,
    port,
    path: '/orders',
  });
}
