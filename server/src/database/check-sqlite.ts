import { DatabaseSync } from 'node:sqlite';
import { UnusableDatabase } from './engine.ts';
import { APPLICATION_ID } from './prepare-sqlite.ts';
import { translate } from './sqlite.ts';

/** Yields the damage of each table: its pages, indexes and references. The file may be in use. */
export function* damageOf(path: string): Generator<{ table: string; problems: string[] }> {
  using db = translate(path, () => new DatabaseSync(path, { readOnly: true }));
  const all = (sql: string) => translate(path, () => db.prepare(sql).all());
  const tables = all("SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name");
  for (const { name } of tables) {
    const found = all(`PRAGMA integrity_check("${name}")`).map((row) => String(row.integrity_check));
    const strays = all(`PRAGMA foreign_key_check("${name}")`).map(
      (row) => `a row refers to a row of ${row.parent} that is not there`,
    );
    yield { table: String(name), problems: [...found.filter((text) => text !== 'ok'), ...strays] };
  }
}

/** Refuses a file that is damaged, or not one of ours. */
export function requireSound(path: string): void {
  {
    using db = translate(path, () => new DatabaseSync(path, { readOnly: true }));
    const ours = translate(path, () => db.prepare('PRAGMA application_id').get());
    if (ours?.application_id !== APPLICATION_ID)
      throw new UnusableDatabase(`${path} is not a database of this program`);
  }
  for (const { problems } of damageOf(path))
    if (problems.length > 0) throw new UnusableDatabase(`${path} is damaged: ${problems[0]}`);
}
