import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { loadEmbeddedPostgres } from '../../../server/test/support/embedded-postgres.ts';
import { freePort } from '../../../server/test/support/free-port.ts';

export interface Database extends AsyncDisposable {
  /** The flags for the program. */
  readonly flags: readonly string[];
}

/** A PostgreSQL server for one scene. */
export async function startDatabase(): Promise<Database> {
  const EmbeddedPostgres = await loadEmbeddedPostgres();
  const port = await freePort();
  const server = new EmbeddedPostgres({
    databaseDir: mkdtempSync(join(tmpdir(), 'petstore-attack-')),
    user: 'postgres',
    password: 'attack',
    port,
    persistent: false,
    // PostgreSQL does not run as root, which is common in containers.
    createPostgresUser: process.getuid?.() === 0,
    initdbFlags: ['--no-sync'],
    postgresFlags: ['-c', 'listen_addresses=127.0.0.1'],
    onLog: () => {},
    onError: () => {},
  });
  await server.initialise();
  await server.start();
  const url = `postgres://postgres:attack@127.0.0.1:${port}/postgres`;
  return {
    flags: ['--deployment', 'production', '--database', url],
    [Symbol.asyncDispose]: () => server.stop(),
  };
}
