import { mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { prepareSqlite } from '../../src/database/prepare-sqlite.ts';
import { quickDisk } from './quick-disk.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** A file of SQLite with all tables and nothing in them, to be copied. */
    preparedSqlite: string;
  }
}

export function prepareSqliteFile({ provide }: TestProject): () => void {
  const folder = mkdtempSync(join(quickDisk, 'petstore-sqlite-'));
  const path = join(folder, 'prepared.db');
  prepareSqlite(path);
  provide('preparedSqlite', path);
  return () => rmSync(folder, { recursive: true, force: true });
}
