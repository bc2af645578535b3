import { openDeployment } from '../app/open-deployment.ts';
import type { CommandResult, ServerCommand } from '../config/flags.ts';
import { openMaintenanceSession, preparePostgres } from '../database/prepare-postgres.ts';
import { checkTables } from '../database/prepare-sqlite.ts';
import { SqliteConnection } from '../database/sqlite.ts';
import { repairStore } from '../orders/repair-store.ts';
import { countStores } from '../stores/find-store.ts';
import { showProgress } from '../transfer/progress.ts';
import { checkConsistency } from './check-consistency.ts';
import { existingDeployment } from './one-deployment.ts';

export const check: ServerCommand<CommandResult> = async (values, _, { stderr }) => {
  const { name, location, sqliteFile } = existingDeployment('check', values);
  const { database } = location;
  const checked = database === undefined ? [...checkTables(sqliteFile)] : [];
  if (database !== undefined) await preparePostgres(database, true);
  const isDamaged = () => checked.some(({ problems }) => problems.length > 0);
  const repaired: string[] = [];
  if (!isDamaged()) {
    await using connection =
      database === undefined
        ? new SqliteConnection(sqliteFile, 'read')
        : await openMaintenanceSession(database);
    const progress = showProgress(values, 'check', await countStores(connection), stderr, 'stores');
    let kinds = await checkConsistency(connection, () => progress.add(1, ''));
    progress.end();
    const inconsistent = new Set(kinds.flatMap(({ stores }) => [...stores]));
    if (values.repair && inconsistent.size > 0) {
      await using deployment = await openDeployment(name, location);
      for (const storeId of inconsistent)
        for (const what of await deployment.writer.apply(repairStore, { storeId }))
          repaired.push(`store ${storeId}, ${what}`);
      kinds = await checkConsistency(connection);
    }
    for (const { what, problems } of kinds)
      checked.push({ what: problems.length === 0 ? what.replace(/:.*/, '') : what, problems });
  }
  return {
    text: [
      ...repaired.map((what) => `repaired: ${what}`),
      ...checked.map(({ what, problems }) => `${what}: ${problems.join('; ') || 'ok'}`),
    ].join('\n'),
    json: { ok: !isDamaged(), checked, ...(values.repair ? { repaired } : {}) },
    problem: isDamaged() ? `the ${name} database is damaged: see above` : undefined,
  };
};
