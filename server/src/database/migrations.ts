import { UnusableDatabase } from './engine.ts';
import { firstTables } from './first-tables.ts';
import type { EngineName } from './query.ts';

export interface Migration {
  /** The version that a database has afterwards. */
  readonly version: number;
  readonly statements: (engine: EngineName) => string[];
}

/**
 * What is due of one webhook is found without looking at what is due of others. The index by time alone goes: where it
 * is there, PostgreSQL takes it for that, too. The version before works without it, only slower.
 */
const dueByWebhook = () => [
  'CREATE INDEX IF NOT EXISTS deliveries_due_of_webhook ON deliveries (webhook_id, next_at) WHERE next_at IS NOT NULL',
  'DROP INDEX deliveries_due',
];

/** Forward only, never edited once released. Versions before the first one were never released. */
export const migrations: readonly Migration[] = [
  { version: 5, statements: firstTables },
  { version: 6, statements: dueByWebhook },
];

export const schemaVersion = newestOf(migrations);

/** What a database of this version lacks; an empty one has version 0. Refuses a version that is not ours to change. */
export function missingMigrations(version: number, database: string, known = migrations): Migration[] {
  const newest = newestOf(known);
  if (version > newest) {
    throw new UnusableDatabase(
      `${database} has schema version ${version}, newer than this program's ${newest}: use a newer petstore`,
    );
  }
  if (version > 0 && !known.some((migration) => migration.version === version)) {
    throw new UnusableDatabase(
      `${database} has schema version ${version}, which was never released: begin with an empty one`,
    );
  }
  return known.filter((migration) => migration.version > version);
}

function newestOf(known: readonly Migration[]): number {
  return known.at(-1)?.version ?? 0;
}
