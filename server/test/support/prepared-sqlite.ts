import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { prepareSqlite } from '../../src/database/prepare-sqlite.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** An SQLite file with empty tables, to be copied. */
    preparedSqlite: string;
  }
}

export function prepareSqliteFile({ provide }: TestProject): void {
  const path = join(tmpdir(), 'prepared.db');
  prepareSqlite(path);
  provide('preparedSqlite', path);
}
