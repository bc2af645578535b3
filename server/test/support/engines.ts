import { randomUUID } from 'node:crypto';
import { copyFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import pg from 'pg';
import { inject } from 'vitest';
import { memoizeAsync } from '../../src/concurrency/memoize-async.ts';
import type { Location } from '../../src/config/location.ts';
import type { DeploymentName } from '../../src/domain/deployment.ts';
import { everyEngine } from './effort.ts';

export type Row = Record<string, bigint | string | null>;

/** A test's own empty database, and access to it that bypasses the program. */
export interface TestDatabase extends AsyncDisposable {
  readonly engine: 'sqlite' | 'postgres';
  readonly location: Location;
  /** The program's flags for the database. */
  readonly flags: readonly string[];
  /** One statement's rows; integers are exact. */
  rows(sql: string): Promise<Row[]>;
  /** Several statements in one transaction. */
  exec(sql: string): Promise<void>;
  /** Blocks every writer until it is disposed. */
  holdWriters(): Promise<AsyncDisposable>;
}

export interface Engine {
  readonly name: 'sqlite' | 'postgres';
  create(deployment?: DeploymentName): Promise<TestDatabase>;
  /** A database with tables, for tests that are not about creating them: copying takes less time. */
  createPrepared?(deployment: DeploymentName): Promise<TestDatabase>;
}

export const sqlite: Engine = {
  name: 'sqlite',
  create: createSqlite,
  createPrepared: (deployment) => createSqlite(deployment, inject('preparedSqlite')),
};
export const postgres: Engine = {
  name: 'postgres',
  create: (deployment) => createPostgres(deployment, 'template1'),
  createPrepared: (deployment) => createPostgres(deployment, inject('preparedPostgres')),
};

/** Every behavior is tested on each of these. */
export const engines: readonly Engine[] = [sqlite, postgres];

/** For engine-independent behavior, such as HTTP parsing and the client. */
export const anyEngine: readonly Engine[] = everyEngine ? engines : [sqlite];

export function temporaryFolder(): Disposable & { path: string } {
  const path = mkdtempSync(join(tmpdir(), 'petstore-test-'));
  return { path, [Symbol.dispose]: () => rmSync(path, { recursive: true, force: true }) };
}

async function createSqlite(
  deployment: DeploymentName = 'production',
  prepared?: string,
): Promise<TestDatabase> {
  const folder = temporaryFolder();
  if (prepared) copyFileSync(prepared, join(folder.path, `${deployment}.db`));
  let connection: DatabaseSync | undefined;
  // Opened on first use: until then the program finds the folder as on a first start.
  const open = () => {
    connection ??= new DatabaseSync(join(folder.path, `${deployment}.db`), { timeout: 20_000 });
    return connection;
  };
  return {
    engine: 'sqlite',
    location: { deployments: [deployment], data: folder.path, database: undefined, acceptUnsafe: false },
    flags: ['--deployment', deployment, '--data', folder.path],
    async rows(sql) {
      const statement = open().prepare(sql);
      statement.setReadBigInts(true);
      return statement.all() as Row[];
    },
    async exec(sql) {
      try {
        open().exec(`BEGIN IMMEDIATE; ${sql}; COMMIT`);
      } catch (error) {
        // A transaction left open would block every writer.
        open().exec('ROLLBACK');
        throw error;
      }
    },
    async holdWriters() {
      open().exec('BEGIN IMMEDIATE');
      return { [Symbol.asyncDispose]: async () => open().exec('ROLLBACK') };
    },
    async [Symbol.asyncDispose]() {
      connection?.close();
      folder[Symbol.dispose]();
    },
  };
}

/** Reads int64 columns as bigint, all others as text. */
export const exactIntegers = {
  getTypeParser: (type: number) => (type === pg.types.builtins.INT8 ? BigInt : String),
} as pg.CustomTypesConfig;

async function createPostgres(
  deployment: DeploymentName = 'production',
  template: string,
): Promise<TestDatabase> {
  const name = `test_${randomUUID().replaceAll('-', '')}`;
  await administer(`CREATE DATABASE ${name} TEMPLATE ${template} STRATEGY file_copy`);
  const url = `${inject('postgresUrl')}/${name}`;
  let connection: Promise<pg.Client> | undefined;
  // Opened on first use: many tests only use the program.
  const query = async (sql: string) => {
    connection ??= connect(url);
    return (await connection).query<Row>(sql);
  };
  return {
    engine: 'postgres',
    location: { deployments: [deployment], data: '', database: url, acceptUnsafe: false },
    flags: ['--deployment', deployment, '--database', url],
    rows: async (sql) => (await query(sql)).rows,
    async exec(sql) {
      try {
        await query(`BEGIN; ${sql}; COMMIT`);
      } catch (error) {
        await query('ROLLBACK');
        throw error;
      }
    },
    async holdWriters() {
      await query('BEGIN; LOCK TABLE stores, keys, orders, pets IN EXCLUSIVE MODE');
      return {
        async [Symbol.asyncDispose]() {
          await query('ROLLBACK');
        },
      };
    },
    async [Symbol.asyncDispose]() {
      await (await connection)?.end();
      await administer(`DROP DATABASE ${name} WITH (FORCE)`);
    },
  };
}

async function connect(url: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url, types: exactIntegers });
  client.on('error', () => {});
  await client.connect();
  return client;
}

const administrator = memoizeAsync(() => connect(`${inject('postgresUrl')}/postgres`));

/** One connection per test worker, shared by its test files. It closes when the worker exits. */
async function administer(sql: string): Promise<void> {
  await (await administrator()).query(sql);
}
