import type { QueryConfig } from 'pg';
import { nameOf } from './postgres-link.ts';
import type { Params, Query } from './query.ts';

const texts = new Map<string, string>();

/**
 * One statement for PostgreSQL that makes all of these, each on the data as it was before any of them: to send one and
 * read its answer takes longer than what most of them do.
 */
export function atOnce(parts: ReadonlyArray<readonly [Query<never, never>, Params]>): QueryConfig {
  const sorted = parts
    .map(([query, params]) => {
      const { sql, bind } = query.on('postgres');
      return { name: nameOf(query), sql, values: bind(params) };
    })
    .sort((a, b) => (a.name < b.name ? -1 : 1));
  const name = sorted.map((part) => part.name).join('_');
  const text = texts.get(name) ?? joined(sorted);
  texts.set(name, text);
  return { name, text, values: sorted.flatMap(({ values }) => values) };
}

function joined(parts: ReadonlyArray<{ sql: string; values: readonly unknown[] }>): string {
  let before = 0;
  const statements = parts.map(({ sql, values }) => {
    const first = before;
    before += values.length;
    return sql.replace(/\$(\d+)/g, (_, number) => `$${Number(number) + first}`);
  });
  const last = statements.pop();
  const others = statements.map((statement, i) => `s${i} AS (${statement})`);
  return others.length === 0 ? String(last) : `WITH ${others.join()} ${last}`;
}
