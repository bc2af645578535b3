import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { migrations, schemaVersion } from '../../src/database/migrations.ts';
import { prepareSqlite } from '../../src/database/prepare-sqlite.ts';
import { processes } from '../support/effort.ts';
import { sqlite, temporaryFolder } from '../support/engines.ts';
import { startProgram } from '../support/program.ts';

/** What was logged with a text, as it was written. */
const line = ({ stdout }: { readonly stdout: string }, text: string) =>
  JSON.parse(stdout.split('\n').find((line) => line.includes(text)) ?? '{}');

const flags = ['--deployment', 'production', '--port', '0'];

describe.each(processes('2'))('with %s processes', (workers) => {
  it('a second process on the same folder reports that, not an unclean shutdown', async () => {
    await using database = await sqlite.create();
    const start = () => startProgram([...flags, '--workers', workers, ...database.flags]);
    await using first = await start();
    await first.request('DELETE /v1/store/orders/2', { key: first.key });
    await using second = await start();
    await second.logged('another process is already serving this data directory');
    expect(line(second.output, 'another process')).toMatchObject({ level: 'warn', deployment: 'production' });
    expect(second.output.stdout).not.toContain('not shut down');
    // A process that starts after both have exited is alone, however they exited.
    await first.stop('SIGKILL');
    await second.stop('SIGKILL');
    await using third = await start();
    await third.logged('database check passed');
    expect(third.output.stdout).not.toContain('another process');
  });
});

it('each copy is logged', async () => {
  await using database = await sqlite.create();
  await using program = await startProgram([...flags, ...database.flags, '--backup-every', '1h']);
  await program.logged('database backed up');
  expect(line(program.output, 'database backed up').file).toMatch(/backups\/production-[^/]+\.db$/);
});

it('a migration is logged with its versions', async () => {
  using folder = temporaryFolder();
  const flags = ['--deployment', 'production', '--port', '0', '--data', folder.path];
  const older = migrations.slice(0, -1);
  prepareSqlite(join(folder.path, 'production.db'), older);
  await using first = await startProgram(flags);
  await first.logged('database migrated');
  const versions = { from: older.at(-1)?.version, to: schemaVersion };
  expect(line(first.output, 'database migrated')).toMatchObject(versions);
  await first.stop('SIGTERM');
  await using second = await startProgram(flags);
  expect((await second.stop('SIGTERM')).stdout).not.toContain('database migrated');
});

it('--log-format pretty writes readable lines, even without a terminal', async () => {
  await using database = await sqlite.create();
  const flags = ['--port', '0', '--workers', '2', '--log-format', 'pretty'];
  await using program = await startProgram([...database.flags, ...flags]);
  await program.request('GET /v1/pets', { key: program.key });
  await program.logged('GET /v1/pets 200');
  expect(program.output.stdout).toMatch(/INFO.*GET \/v1\/pets 200/);
});
