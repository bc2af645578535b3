import type { ServerCommand } from '../config/flags.ts';
import { UnusableDatabase } from '../database/engine.ts';
import { openLongPostgres, preparePostgres } from '../database/prepare-postgres.ts';
import { damageOf } from '../database/prepare-sqlite.ts';
import { SqliteConnection } from '../database/sqlite.ts';
import { countStores } from '../stores/count-stores.ts';
import { showProgress } from '../transfer/progress.ts';
import { findContradictions } from './find-contradictions.ts';
import { existingDeployment } from './one-deployment.ts';

/** `petstore check --deployment NAME`: the whole database, also while the service runs. */
export const check: ServerCommand = async (values) => {
  const { name, location, path } = existingDeployment('check', values);
  const { database } = location;
  let found = 0;
  const tell = (what: string, problems: readonly string[]) => {
    console.log(`${what}: ${problems.length === 0 ? 'ok' : problems.join('; ')}`);
    found += problems.length;
  };
  if (database === undefined)
    for (const { table, problems } of damageOf(path)) tell(`table ${table}`, problems);
  else await preparePostgres(database, { acceptUnsafe: true });
  if (found === 0) {
    await using connection =
      database === undefined ? new SqliteConnection(path, 'read') : await openLongPostgres(database);
    const progress = showProgress(process.stderr, 'check', await countStores(connection), 'stores');
    const kinds = await findContradictions(connection, () => progress.add(1, ''));
    progress.end();
    for (const { what, problems } of kinds)
      tell(problems.length === 0 ? what.replace(/:.*/, '') : what, problems);
  }
  if (found > 0) throw new UnusableDatabase(`the database of ${name} is damaged: see above`);
};
