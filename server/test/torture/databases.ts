import { join } from 'node:path';
import { openMaintenanceSession } from '../../src/database/prepare-postgres.ts';
import { SqliteConnection } from '../../src/database/sqlite.ts';
import { startOwnPostgres } from '../postgres/support/own-postgres.ts';
import { sqlite } from '../support/engines.ts';
import type { TortureDatabase } from './torture.ts';

/** Creates an empty database of each engine. */
export const databases: Record<'sqlite' | 'postgres', () => Promise<TortureDatabase & AsyncDisposable>> = {
  async sqlite() {
    const database = await sqlite.create('staging');
    const path = join(database.location.data, 'staging.db');
    return {
      location: database.location,
      flags: database.flags,
      async connect() {
        const connection = new SqliteConnection(path, 'read');
        return {
          all: (query, params) => connection.all(query, params),
          [Symbol.asyncDispose]: async () => connection.close(),
        };
      },
      [Symbol.asyncDispose]: () => database[Symbol.asyncDispose](),
    };
  },
  async postgres() {
    const server = await startOwnPostgres();
    await server.query('CREATE DATABASE torture');
    const url = server.url('torture');
    return {
      location: { deployments: ['staging'], data: '', database: url, acceptUnsafe: false },
      flags: ['--deployment', 'staging', '--database', url],
      connect: () => openMaintenanceSession(url),
      async crash() {
        await server.stop('crash');
        await server.start();
      },
      [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
    };
  },
};
