import { chmodSync } from 'node:fs';
import pg from 'pg';
import { loadEmbeddedPostgres } from '../../../server/test/support/embedded-postgres.ts';
import { folder, freePort, onEnd, unpin } from '../processes.ts';

export interface Postgres {
  readonly pid: number;
  /** Returns the address of a new database. */

  createDatabase(name: string): Promise<string>;
  stop(): Promise<void>;
}

/** A private PostgreSQL with its default settings: each commit waits for the disk. */
export async function startPostgres(): Promise<Postgres> {
  const EmbeddedPostgres = await loadEmbeddedPostgres();
  const port = await freePort();
  const home = folder('postgres');
  for (const path of [home, `${home}/..`]) chmodSync(path, 0o755);
  const server = new EmbeddedPostgres({
    databaseDir: `${home}/data`,
    user: 'postgres',
    password: 'bench',
    port,
    persistent: false,
    // PostgreSQL does not run as root, as containers often do.
    createPostgresUser: process.getuid?.() === 0,
    postgresFlags: ['-c', 'listen_addresses=127.0.0.1'],
    onLog: () => {},
    onError: () => {},
  });
  await server.initialise();
  await server.start();
  const pid = (server as unknown as { process: { pid: number } }).process.pid;
  unpin(pid);
  onEnd(() => process.kill(pid, 'SIGQUIT'));
  const url = (name: string) => `postgres://postgres:bench@127.0.0.1:${port}/${name}`;
  return {
    pid,
    async createDatabase(name) {
      const client = new pg.Client({ connectionString: url('postgres') });
      await client.connect();
      await client.query(`CREATE DATABASE ${name}`);
      await client.end();
      return url(name);
    },
    stop: () => server.stop(),
  };
}
