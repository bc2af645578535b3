import { DatabaseSync } from 'node:sqlite';
import { UnusableDatabase } from './engine.ts';
import type { Migration } from './migrations.ts';

export function columnsOfSqlite(db: DatabaseSync): Set<string> {
  const columns = db
    .prepare(
      `SELECT tables.name || '.' || columns.name AS "column"
       FROM sqlite_schema AS tables JOIN pragma_table_info(tables.name) AS columns WHERE tables.type = 'table'`,
    )
    .all();
  return new Set(columns.map(({ column }) => String(column)));
}

/** Refuses a database that lacks columns which the migrations make, run in memory. */
export function requireShape(
  database: string,
  version: number,
  found: ReadonlySet<string>,
  known: readonly Migration[],
): void {
  using model = new DatabaseSync(':memory:');
  for (const migration of known.filter((one) => one.version <= version))
    for (const statement of migration.statements('sqlite')) model.exec(statement);
  const [missing] = columnsOfSqlite(model).difference(found);
  if (missing !== undefined)
    throw new UnusableDatabase(
      `${database} says that it has schema version ${version}, but ${missing} is missing: it was made by a program that was never released, or changed by another; begin with an empty one`,
    );
}
