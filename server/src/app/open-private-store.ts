import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { UnusableDatabase } from '../database/engine.ts';
import type { DeploymentName } from '../domain/deployment.ts';
import { newKey } from '../keys/manage-keys.ts';
import { openStore } from '../provisioning/open-store.ts';
import { buildApp } from './app.ts';
import { openDeployment } from './open-deployment.ts';

/** A service with one store, on a free port, with temporary data. */
export async function openPrivateStore(name: DeploymentName = 'staging') {
  await using opening = new AsyncDisposableStack();
  const folder = createTemporaryFolder();
  opening.defer(() => rmSync(folder, { recursive: true, force: true }));
  const { key, details } = newKey(name, 'private');
  const location = { deployments: [name], data: folder, database: undefined, acceptUnsafe: false };
  const deployment = opening.use(await openDeployment(name, location));
  await deployment.writer.apply(openStore, { owner: null, key: details, at: BigInt(Date.now()) });
  let address = '';
  const app = buildApp({
    ...deployment,
    deployment: name,
    log: pino({ enabled: false }),
    lists: { budget: 256 * 1024 * 1024 },
    servers: () => [{ name, origin: address }],
    webhooks: { allowPrivate: true },
  });
  opening.defer(async () => {
    app.server.closeAllConnections();
    await app.close();
  });
  const host = '127.0.0.1';
  address = `http://${host}:${await app.listen({ host, port: 0 })}`;
  const resources = opening.move();
  return { address, key, writer: deployment.writer, [Symbol.asyncDispose]: () => resources.disposeAsync() };
}

function createTemporaryFolder(): string {
  try {
    return mkdtempSync(join(tmpdir(), 'petstore-'));
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new UnusableDatabase(`no temporary folder can be created in ${tmpdir()} (${code})`, {
      cause: error,
    });
  }
}
