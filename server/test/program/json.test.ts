import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { buildProgram } from '../../../cli/src/program.ts';
import { runCommand, testContext } from '../support/command.ts';
import { anyEngine, sqlite, temporaryFolder } from '../support/engines.ts';
import { startProgram } from '../support/program.ts';

/** One line of JSON, or an array, and nothing on standard error. */
async function reported(args: readonly string[], input = '') {
  const { code, stdout, stderr } = await runCommand([...args, '--json'], { input });
  expect([code, stderr]).toEqual([0, '']);
  return JSON.parse(stdout);
}

/** Why it failed, as the one line of JSON on standard error. */
async function failed(args: readonly string[]) {
  const { stdout, stderr } = await runCommand([...args, '--json']);
  return { stdout, ...JSON.parse(stderr) };
}

describe.each(anyEngine)('with --json on $name', (engine) => {
  it('seed, check, export and import print their result', async () => {
    await using database = await engine.create();
    await using other = await engine.create();
    expect(await reported(['seed', '--orders', '20', ...database.flags])).toEqual({
      key: expect.stringMatching(/^pst_live_/),
      orders: 20,
    });
    const { ok, checked } = await reported(['check', ...database.flags]);
    expect([ok, checked.length > 5]).toEqual([true, true]);
    for (const result of checked) expect(result).toEqual({ what: expect.any(String), problems: [] });

    const exported = await runCommand(['export', '--json', ...database.flags]);
    expect([exported.code, exported.stderr]).toEqual([0, '']);
    const { imported, rows } = await reported(['import', ...other.flags], exported.stdout);
    expect([imported, rows > 20]).toEqual([true, true]);
    expect(await reported(['import', ...other.flags], exported.stdout)).toEqual({ imported: false, rows });

    await other.exec("UPDATE orders SET status = 'pendinf' WHERE id = 2");
    const damaged = await failed(['check', ...other.flags]);
    expect(damaged).toMatchObject({ code: 'failed', exitCode: 1 });
    expect(damaged.message).toContain('is damaged');
    const found = JSON.parse(damaged.stdout);
    expect(found.ok).toBe(false);
    expect(found.checked.find(({ problems }: { problems: string[] }) => problems.length > 0).what).toContain(
      'status',
    );
  });
});

type Command = ReturnType<typeof buildProgram>;

/** Commands that are called, as they are called, with the flags of those above them. */
function* commandsIn(command: Command, above: readonly string[] = []): Iterable<[string, string[]]> {
  const flags = [...above, ...command.options.map(({ long }) => String(long))];
  if (command.commands.length === 0) yield [command.name(), flags];
  for (const subcommand of command.commands)
    for (const [name, all] of commandsIn(subcommand, flags))
      yield [subcommand.commands.length > 0 ? `${subcommand.name()} ${name}` : name, all];
}

describe('with --json', () => {
  it('all commands accept it except those that print scripts, talk to agents, or run others', () => {
    const without = [...commandsIn(buildProgram(testContext().context))].filter(
      ([, flags]) => !flags.includes('--json'),
    );
    expect(without.map(([name]) => name).sort()).toEqual([
      ...['complete', 'completion', 'mcp', 'private-service', 'run'],
    ]);
  });

  it('backup and restore name the file, ready the deployments', async () => {
    await using database = await sqlite.create();
    using folder = temporaryFolder();
    await runCommand(['keys', 'create', ...database.flags]);
    const file = join(folder.path, 'copy.db');
    expect(await reported(['backup', file, ...database.flags])).toEqual({ file });
    const data = join(folder.path, 'data');
    const there = ['--deployment', 'production', '--data', data];
    expect(await reported(['restore', file, ...there])).toEqual({ file: join(data, 'production.db') });
    expect(await failed(['restore', join(folder.path, 'none'), ...there])).toMatchObject({ exitCode: 1 });

    await using program = await startProgram([...there, '--port', '0']);
    const flags = ['--deployment', 'production', '--port', String(program.port)];
    expect(await reported(['ready', ...flags])).toEqual({ ready: ['production'] });
  });

  it('an error is JSON, unless the flag belongs to the command being run', async () => {
    expect(await failed(['backup'])).toMatchObject({ code: 'usage', exitCode: 2 });
    const { code, stderr } = await runCommand(['run', '--nonsense', '--', 'mine', '--json']);
    expect([code, stderr]).toEqual([2, expect.stringMatching(/^petstore: .*--nonsense/)]);
  });
});
