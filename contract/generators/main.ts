import { npmTargets } from './npm-targets.ts';
import { openapiGeneratorTargets } from './openapi-generator.ts';
import { otherTargets } from './other-targets.ts';
import { type Row, writePage } from './page.ts';
import { judge, openStores } from './scenario.ts';
import { openFolder, run, type Target } from './target.ts';

/** Generates a client with every generator whose name contains an argument (all without arguments), runs it, writes the table. */
const targets = [...openapiGeneratorTargets, ...npmTargets, ...otherTargets];
const names = process.argv.slice(2);
const chosen = targets.filter(({ name }) => names.length === 0 || names.some((text) => name.includes(text)));
const rows: Row[] = [];
for (const target of chosen) {
  const row = { name: target.name, settings: target.settings, ...(await tryTarget(target)) };
  console.log(`${row.name}: ${row.outcome}${row.ids ? `, ids ${row.ids}` : ''}`);
  rows.push(row);
}
writePage(
  rows,
  targets.map(({ name }) => name),
);

async function tryTarget(target: Target): Promise<Pick<Row, 'outcome' | 'ids'>> {
  using place = openFolder();
  const { folder } = place;
  let step = 'does not generate';
  try {
    await target.prepare(folder);
    step = 'does not compile';
    for (const command of target.build) await run(command, folder);
    if (!target.run) return { outcome: 'compiles', ids: '' };
    step = 'does not run to its end';
    await using stores = await openStores();
    const { wrong, exact } = judge(await run(target.run, folder, { ...stores.env, ...target.env }));
    return {
      outcome: wrong.length === 0 ? 'all' : `all except ${wrong.join('; ')}`,
      ids: exact ? 'exact' : 'rounded',
    };
  } catch (error) {
    const { code, path: program, stderr, stdout } = error as Record<string, string>;
    if (code === 'ENOENT') return { outcome: `not tested: no \`${program}\``, ids: '' };
    console.error(stdout, stderr ?? error);
    return { outcome: step, ids: '' };
  }
}
