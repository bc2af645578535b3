import { type Visit, visitors } from './walk.ts';

const head = `# Who gets in where

Every route of the program, tried by everyone who may not use it and then by the one who may. Made by \`npm run access\`
against the program itself; a test fails when it answers otherwise, and when it has a route that is not here.

What is named in a path (an order, a pet, a webhook, a key) is in the owner's store alone: to everyone else it is not
there, 404. The walk is one of production, where the sandbox is not there for anybody, its owner included.
A list that another store's key or another account's session may ask for is their own, and shows nothing of this store;
the walk fails otherwise. Sessions open the console and never the API. A key opens the API, and a session of the
console that may do what the key may: nothing that is about an account, 403.
Every refused attempt comes before the one that succeeds, which it would not if they had changed anything.
`;

const titles: Record<string, string> = {
  v1: 'Version 1',
  v2: 'Version 2',
  agents: 'Agents',
  console: "The console's own API",
  pages: 'Pages',
  documents: 'Documents',
  operations: 'Operations',
};

/** The walk as a page of the docs. */
export function writeTable(visits: readonly Visit[]): string {
  const groups = Map.groupBy(visits, ({ route }) => route.group);
  const parts = [...groups].map(([group, rows]) =>
    [
      `## ${titles[group] ?? group}`,
      `| route | ${visitors.join(' | ')} |`,
      `|---|${visitors.map(() => '---').join('|')}|`,
      ...rows.map(
        ({ route, statuses }) =>
          `| \`${route.method} ${route.template}\` | ${visitors.map((visitor) => statuses[visitor]).join(' | ')} |`,
      ),
    ].join('\n'),
  );
  return `${[head.trimEnd(), ...parts].join('\n\n')}\n`;
}
