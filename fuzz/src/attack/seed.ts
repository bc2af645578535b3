import { spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { fileURLToPath } from 'node:url';
import type { Program } from '../program/start-program.ts';

const main = fileURLToPath(new URL('../../../cli/src/main.js', import.meta.url));

/** Creates a store with `orders` orders through the program's own command; returns its key. */
export function seedOrders({ data }: Program, orders: number): string {
  const args = [main, 'seed', '--orders', String(orders), '--deployment', 'production', '--data', data];
  const { stdout, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8' });
  const key = /pst_live_\w+/.exec(stdout)?.[0];
  if (key === undefined) throw new Error(`seed printed no key: ${stdout}${stderr}`);
  return key;
}

export function withDatabase<T>(
  { data }: Program,
  use: (database: DatabaseSync) => T,
  deployment = 'production',
): T {
  const database = new DatabaseSync(join(data, `${deployment}.db`), { timeout: 60_000 });
  try {
    return use(database);
  } finally {
    database.close();
  }
}

export function countRows(program: Program, table: string, deployment?: string): number {
  const count = (database: DatabaseSync) =>
    Number(database.prepare(`SELECT count(*) AS n FROM ${table}`).get()?.n);
  return withDatabase(program, count, deployment);
}

/** Copies one row `count` times, past every API limit, with new values in some columns. */
export function copyRow(
  program: Program,
  table: string,
  where: string,
  count: number,
  change: (index: number) => Record<string, string | number>,
): void {
  withDatabase(program, (database) => {
    const select = database.prepare(`SELECT * FROM ${table} WHERE ${where} LIMIT 1`);
    select.setReadBigInts(true);
    const row = select.get();
    if (!row) throw new Error(`there is no row in ${table} to copy`);
    const columns = Object.keys(row);
    const insert = database.prepare(
      `INSERT INTO ${table} (${columns.join(', ')}) VALUES (${columns.map(() => '?').join(', ')})`,
    );
    database.exec('BEGIN IMMEDIATE');
    for (let index = 0; index < count; index++) {
      const copy = { ...row, ...change(index) };
      insert.run(...columns.map((column) => copy[column] ?? null));
    }
    database.exec('COMMIT');
  });
}

export const randomHex = (bytes: number) => randomBytes(bytes).toString('hex');

/** The path of the largest script that a page of the service names. */
export async function largestScript(origin: string): Promise<string> {
  const found = new Map<string, number>();
  for (const page of ['/docs', '/console']) {
    const html = await fetch(origin + page).then((response) => response.text());
    for (const [, source = ''] of html.matchAll(/<script[^>]* src="([^"]+)"/g)) {
      const { pathname } = new URL(source, `${origin}${page}/`);
      const script = await fetch(origin + pathname).then((response) => response.arrayBuffer());
      found.set(pathname, script.byteLength);
    }
  }
  const [largest] = [...found].sort((a, b) => b[1] - a[1]);
  if (largest === undefined) throw new Error('no page names a script');
  return largest[0];
}
