import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { preparePostgres } from '../../src/database/prepare-postgres.ts';
import { copyOf, flagsOf, loadEmbeddedPostgres } from './embedded-postgres.ts';
import { freePort } from './free-port.ts';

declare module 'vitest' {
  interface ProvidedContext {
    postgresUrl: string;
    /** A database with empty tables, as a template. */
    preparedPostgres: string;
  }
}

/** One PostgreSQL for the entire run; every test creates its own databases in it. */
export async function startPostgres({ provide }: TestProject): Promise<() => Promise<void>> {
  const Postgres = await loadEmbeddedPostgres();
  const port = await freePort();
  const folder = mkdtempSync(join(tmpdir(), 'petstore-postgres-'));
  const postgres = new Postgres({
    databaseDir: folder,
    user: 'postgres',
    password: 'tests',
    port,
    persistent: false,
    // PostgreSQL does not run as root, which is common in containers.
    createPostgresUser: process.getuid?.() === 0,
    // Tests connect some thousand times, and hashing the password would be half of that cost.
    initdbFlags: ['--no-sync', '-c', 'scram_iterations=1'],
    postgresFlags: flagsOf({ max_connections: '300' }),
    onLog: () => {},
    onError: () => {},
  });
  await postgres.initialise();
  // Tests that need their own server copy this folder, in a tenth of the time that creating one takes.
  process.env.UNUSED_POSTGRES = copyOf(folder);
  await postgres.start();
  const url = `postgres://postgres:tests@127.0.0.1:${port}`;
  const prepared = 'prepared';
  await postgres.createDatabase(prepared);
  await preparePostgres(`${url}/${prepared}`, false);
  provide('postgresUrl', url);
  provide('preparedPostgres', prepared);
  return () => postgres.stop();
}
