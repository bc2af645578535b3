import { chmodSync, closeSync, openSync, statSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { timeouts } from '../config/timeouts.ts';
import { hasContent, rejectLostWal, rejectMissingDatabase, writeMarkerFile } from './database-files.ts';
import { type Preparation, UnusableDatabase } from './engine.ts';
import {
  columnsOfSqlite,
  type Migration,
  migrations,
  missingMigrations,
  newestVersionOf,
} from './migrations.ts';
import { translateErrors } from './sqlite.ts';

/** Marks a file as ours ("PETS"), so that another program's database is never migrated. */
const APPLICATION_ID = 0x50455453;
/** Larger files are not checked at start, because that would delay it. */
const MAX_CHECKED_BYTES = 64 * 1024 * 1024;

export function prepareSqlite(path: string, known = migrations): Preparation {
  const previousState = !hasContent(path) ? 'missing' : hasContent(`${path}-wal`) ? 'unclean' : 'clean';
  if (previousState === 'missing') rejectMissingDatabase(path);
  rejectLostWal(path);
  restrictToOwner(path);
  return translateErrors(path, () => {
    using db = new DatabaseSync(path, { timeout: timeouts.busyTimeoutMs });
    db.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL');
    if (statSync(path).size <= MAX_CHECKED_BYTES) checkIntegrity(db, path);
    const before = migrate(db, path, known);
    writeMarkerFile(path);
    return {
      previousState,
      migratedFrom: before > 0 && before < newestVersionOf(known) ? before : undefined,
    };
  });
}

/** `name` is the path that errors show. */
export function migrateSqlite(path: string, name: string): void {
  translateErrors(path, () => {
    using db = new DatabaseSync(path);
    migrate(db, name, migrations);
  });
}

/** SQLite creates its logs with the mode of the file. Errors are left to SQLite, which reports a reason when it opens the file. */
function restrictToOwner(path: string): void {
  for (const file of [path, `${path}-wal`, `${path}-shm`]) {
    try {
      if (file === path) closeSync(openSync(path, 'a', 0o600));
      if ((statSync(file).mode & 0o077) !== 0) chmodSync(file, 0o600);
    } catch {}
  }
}

function checkIntegrity(db: DatabaseSync, path: string): void {
  const verdict = String(db.prepare('PRAGMA quick_check(1)').get()?.quick_check);
  if (verdict !== 'ok')
    throw new UnusableDatabase(`the database ${path} is damaged (${verdict.replaceAll('\n', ' ')})`);
}

function pragma(db: DatabaseSync, name: string): number {
  return Number(db.prepare(`PRAGMA ${name}`).get()?.[name]);
}

function migrate(db: DatabaseSync, path: string, known: readonly Migration[]): number {
  db.exec('BEGIN IMMEDIATE');
  const isNew = db.prepare('SELECT 1 FROM sqlite_schema').get() === undefined;
  if (!isNew && pragma(db, 'application_id') !== APPLICATION_ID)
    throw new UnusableDatabase(`${path} is another program's database`);
  const version = pragma(db, 'user_version');
  const missing = missingMigrations(`the database ${path}`, version, columnsOfSqlite(db), known);
  for (const migration of missing) {
    for (const statement of migration.statements('sqlite')) db.exec(statement);
    db.exec(`PRAGMA application_id = ${APPLICATION_ID}; PRAGMA user_version = ${migration.version}`);
  }
  db.exec('COMMIT');
  return version;
}

/** Checks each table, and yields its problems, if any. */
export function* checkTables(path: string): Generator<{ what: string; problems: string[] }> {
  using db = translateErrors(path, () => new DatabaseSync(path, { readOnly: true }));
  const all = (sql: string) => translateErrors(path, () => db.prepare(sql).all());
  for (const { name } of all("SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name")) {
    const found = all(`PRAGMA integrity_check("${name}")`).map((row) => String(row.integrity_check));
    const orphans = all(`PRAGMA foreign_key_check("${name}")`).map(
      (row) => `a row references a missing row in ${row.parent}`,
    );
    yield { what: `table ${name}`, problems: [...found.filter((text) => text !== 'ok'), ...orphans] };
  }
}

export function requireIntact(path: string): void {
  translateErrors(path, () => {
    using db = new DatabaseSync(path, { readOnly: true });
    if (pragma(db, 'application_id') !== APPLICATION_ID)
      throw new UnusableDatabase(`${path} is not a petstore database`);
  });
  for (const { problems } of checkTables(path))
    if (problems.length > 0) throw new UnusableDatabase(`${path} is damaged: ${problems[0]}`);
}
