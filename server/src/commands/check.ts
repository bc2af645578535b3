import { join } from 'node:path';
import type { ServerCommand } from '../config/flags.ts';
import type { Location } from '../config/location.ts';
import { damageOf } from '../database/check-sqlite.ts';
import { type Connection, UnusableDatabase } from '../database/engine.ts';
import { openPatientPostgres, preparePostgres } from '../database/prepare-postgres.ts';
import { SqliteConnection } from '../database/sqlite.ts';
import { countStores } from '../stores/count-stores.ts';
import { showProgress } from '../transfer/progress.ts';
import { findContradictions } from './find-contradictions.ts';
import { mustExist, oneDeployment } from './one-deployment.ts';

/** `petstore check --deployment NAME`: the whole database, also while the service runs. */
export const check: ServerCommand = async (values) => {
  const { name, location } = oneDeployment('check', values);
  mustExist(name, location);
  let found = 0;
  const tell = (what: string, problems: readonly string[]) => {
    console.log(`${what}: ${problems.length === 0 ? 'ok' : problems.join('; ')}`);
    found += problems.length;
  };
  const path = join(location.data, `${name}.db`);
  if (location.database === undefined)
    for (const { table, problems } of damageOf(path)) tell(`table ${table}`, problems);
  if (found === 0) {
    await using connection = await openToRead(path, location);
    const progress = showProgress(process.stderr, 'check', await countStores(connection), 'stores');
    const kinds = await findContradictions(connection, () => progress.add(1, ''));
    progress.end();
    for (const { what, problems } of kinds)
      tell(problems.length === 0 ? what.replace(/:.*/, '') : what, problems);
  }
  if (found > 0) throw new UnusableDatabase(`the database of ${name} is damaged: see above`);
};

async function openToRead(path: string, { database }: Location): Promise<Connection & AsyncDisposable> {
  if (database !== undefined) {
    await preparePostgres(database, { acceptUnsafe: true });
    return openPatientPostgres(database);
  }
  const connection = new SqliteConnection(path, 'read');
  return {
    all: (query, params) => connection.all(query, params),
    [Symbol.asyncDispose]: async () => connection.close(),
  };
}
