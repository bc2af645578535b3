import { readFileSync, writeFileSync } from 'node:fs';
import { documents } from '../server/src/api/contract.ts';
import type { DocumentedOperation } from '../server/src/http/openapi/openapi.ts';

/** Writes the generated table of docs/DECISIONS.md; with --check, fails if the committed one differs. */

const row = (...cells: ReadonlyArray<string | number>) => `| ${cells.join(' | ')} |`;
const table = (head: readonly string[], rows: readonly string[]) =>
  [row(...head), `|${'---|'.repeat(head.length)}`, ...rows].join('\n');

function stabilityOf(operation: DocumentedOperation): string {
  const { deprecated, 'x-stability': stability = 'stable', 'x-sunset': sunset } = operation;
  return deprecated ? `deprecated, removed on ${sunset}` : String(stability);
}

/** Operations of one tag and one stability share a row. */
function stabilityTable(): string {
  const operations = Object.entries(documents).flatMap(([prefix, { paths }]) =>
    Object.values(paths)
      .flatMap((item) => Object.values(item) as DocumentedOperation[])
      .map((operation) => ({
        name: `\`${operation.operationId}\``,
        group: [prefix.slice(1), (operation.tags as string[])[0], stabilityOf(operation)].join('|'),
      })),
  );
  const rows = [...Map.groupBy(operations, ({ group }) => group)].map(([group, members]) => {
    const [version = '', tag = '', stability = ''] = group.split('|');
    return row(version, tag, members.map(({ name }) => name).join(', '), stability);
  });
  return table(['version', 'about', 'operations', 'stability'], rows);
}

const tables = {
  'docs/DECISIONS.md': { stability: stabilityTable() },
};
for (const [page, generated] of Object.entries(tables)) {
  const file = new URL(`../${page}`, import.meta.url);
  const before = readFileSync(file, 'utf8');
  let after = before;
  for (const [name, rows] of Object.entries(generated)) {
    const place = new RegExp(`(<!-- ${name}: npm run contract -->\n).*?(\n<!-- end of ${name} -->)`, 's');
    if (!place.test(after)) throw new Error(`${page} lacks the markers for the table of ${name}`);
    after = after.replace(place, (_, begin, end) => begin + rows + end);
  }
  if (!process.argv.includes('--check')) writeFileSync(file, after);
  else if (after !== before) {
    console.error(`${page} differs from the program; run: npm run contract`);
    process.exitCode = 1;
  }
}
