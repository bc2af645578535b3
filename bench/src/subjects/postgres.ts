import { chmodSync } from 'node:fs';
import pg from 'pg';
import { loadEmbeddedPostgres } from '../../../server/test/support/embedded-postgres.ts';
import { folder, freePort, onEnd, unpin } from '../processes.ts';

export interface Postgres {
  readonly pid: number;
  readonly version: string;
  /** Makes a database, as a copy of another if one is named; answers with its address. */
  createDatabase(name: string, template?: string): Promise<string>;
  stop(): Promise<void>;
}

/** A PostgreSQL of our own with its default settings: every commit waits for the disk. */
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
    // PostgreSQL refuses to run as root, as containers often do.
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
  const version = String((await ask(url('postgres'), 'SHOW server_version'))[0]?.server_version);
  return {
    pid,
    version,
    async createDatabase(name, template) {
      await ask(
        url('postgres'),
        `CREATE DATABASE ${name}${template ? ` TEMPLATE ${template} STRATEGY file_copy` : ''}`,
      );
      return url(name);
    },
    stop: () => server.stop(),
  };
}

export async function ask(url: string, text: string, values: unknown[] = []): Promise<pg.QueryResultRow[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query(text, values)).rows;
  } finally {
    await client.end();
  }
}
