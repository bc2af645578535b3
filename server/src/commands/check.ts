import type { ServerCommand, Told } from '../config/flags.ts';
import { openLongPostgres, preparePostgres } from '../database/prepare-postgres.ts';
import { damageOf } from '../database/prepare-sqlite.ts';
import { SqliteConnection } from '../database/sqlite.ts';
import { countStores } from '../stores/find-store.ts';
import { showProgress } from '../transfer/progress.ts';
import { findContradictions } from './find-contradictions.ts';
import { existingDeployment } from './one-deployment.ts';

export const check: ServerCommand<Told> = async (values, _, { stderr }) => {
  const { name, location, sqliteFile } = existingDeployment('check', values);
  const { database } = location;
  const checked = database === undefined ? [...damageOf(sqliteFile)] : [];
  if (database !== undefined) await preparePostgres(database, true);
  const isDamaged = () => checked.some(({ problems }) => problems.length > 0);
  if (!isDamaged()) {
    await using connection =
      database === undefined ? new SqliteConnection(sqliteFile, 'read') : await openLongPostgres(database);
    const progress = showProgress(values, 'check', await countStores(connection), stderr, 'stores');
    const kinds = await findContradictions(connection, () => progress.add(1, ''));
    progress.end();
    for (const { what, problems } of kinds)
      checked.push({ what: problems.length === 0 ? what.replace(/:.*/, '') : what, problems });
  }
  return {
    text: checked.map(({ what, problems }) => `${what}: ${problems.join('; ') || 'ok'}`).join('\n'),
    json: { ok: !isDamaged(), checked },
    wrong: isDamaged() ? `the database of ${name} is damaged: see above` : undefined,
  };
};
