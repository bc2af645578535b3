import { expect, it } from 'vitest';
import { type Address, parseAddress, runAcceptance } from '../support/acceptance.ts';
import { runCommand } from '../support/command.ts';
import { everyCase } from '../support/effort.ts';
import { engines } from '../support/engines.ts';
import { type RunningProgram, startProgram } from '../support/program.ts';

/** Each deployment in its own process and database, as on PostgreSQL; with a limit, so that its headers show. */
async function startBoth(engine: (typeof engines)[number]) {
  const stack = new AsyncDisposableStack();
  const programs: RunningProgram[] = [];
  const readKeys: string[] = [];
  for (const deployment of ['production', 'staging'] as const) {
    const database = stack.use(await engine.create(deployment));
    const args = ['--port', '0', '--rate-limit', '1000000', ...database.flags];
    programs.push(stack.use(await startProgram(args)));
    const { stdout } = await runCommand(['keys', 'create', '--scope', 'read', ...database.flags]);
    readKeys.push(stdout.trim());
  }
  const [production, staging] = programs.map(({ lines }) => parseAddress(lines[0])) as [Address, Address];
  const [readKey = ''] = readKeys;
  return { production, staging, readKey, [Symbol.asyncDispose]: () => stack.disposeAsync() };
}

/** On PostgreSQL, the slow tier runs every check, and the fast tier those of version 1. */
const postgresFlags = everyCase ? [] : ['--level', 'v1'];

it('both engines pass every acceptance check, with identical reports', async () => {
  const [sqlite = '', postgres = ''] = await Promise.all(
    engines.map(async (engine) => {
      await using both = await startBoth(engine);
      const flags = engine.name === 'postgres' ? postgresFlags : [];
      return await runAcceptance(both.production, both.staging, '--read-key', both.readKey, ...flags);
    }),
  );
  const allPassed = /\n\d{3} of \d{3} checks passed, 0 failed, \d+ not checked\n$/;
  expect(sqlite).toMatch(allPassed);
  expect(postgres).toMatch(allPassed);
  const verdicts = (report: string) => report.match(/^(PASS|SKIP) .*/gm) ?? [];
  expect(verdicts(sqlite)).toEqual(expect.arrayContaining(verdicts(postgres)));
  if (everyCase) expect(postgres).toBe(sqlite);
  const notChecked = (sqlite.match(/^SKIP .*/gm) ?? []).map((line) => /\[(\S+)\]: (.*)/.exec(line)?.slice(1));
  expect(notChecked.filter((line) => !/\/sandbox\/|rate limit per store/.test(line?.[1] ?? ''))).toEqual([
    ['v1.document.servers', 'it knows only one deployment'],
    ['v2.stream.expired', 'no event is old enough to have expired'],
  ]);
});
