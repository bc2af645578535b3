import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { Readable } from 'node:stream';
import pg from 'pg';
import { beforeAll, describe, expect, it } from 'vitest';
import { linesOf, TransferError } from '../../../src/transfer/format.ts';
import { importDeployment } from '../../../src/transfer/import-deployment.ts';
import { openTransfer } from '../../../src/transfer/open-transfer.ts';
import { runCommand } from '../../support/command.ts';
import { anyEngine, type TestDatabase } from '../../support/engines.ts';
import { spawnProgram } from '../../support/program.ts';
import { mayMount, smallDisk } from '../../support/small-disk.ts';
import { withTimeouts } from '../../support/with-timeouts.ts';
import { eventually } from '../support/eventually.ts';
import { exported, fill, newDatabase, openOnce, rowCount } from '../support/transferred.ts';

describe.each(['sqlite', 'postgres'] as const)('an import into %s', (engine) => {
  let file: string;
  beforeAll(async () => {
    await using source = await newDatabase('sqlite');
    await fill(source);
    file = await exported(source);
  });

  /** What the parser rejects does not depend on the engine. */
  const itOfFormat = it.runIf(anyEngine.some(({ name }) => name === engine));

  /** Why an import is rejected; nothing of it has stayed. */
  async function domainError(text: string): Promise<string> {
    await using database = await newDatabase(engine);
    const lines = linesOf(Readable.from([Buffer.from(text)]));
    const importing = async () => {
      await using target = await openTransfer('production', database.location, 'write');
      await importDeployment('production', lines, target, () => ({ add: () => {}, end: () => {} }));
    };
    const reason = await importing().then(
      () => 'nothing',
      (error) => error,
    );
    expect(await rowCount(database)).toBe(0n);
    expect(reason).toBeInstanceOf(TransferError);
    return (reason as TransferError).message;
  }

  /** The export with one line changed. */
  const changed = (find: RegExp, change: (line: string) => string) => {
    const lines = file.split('\n');
    const at = lines.findIndex((line) => find.test(line));
    expect(at).toBeGreaterThan(0);
    return lines.flatMap((line, i) => (i === at ? change(line) : line)).join('\n');
  };

  it('accepts tables in any order', async () => {
    await using target = await newDatabase(engine);
    const [secrets = ''] = /\{"table":"secrets"[^{]*/.exec(file) ?? [];
    const last = file.lastIndexOf('{"end"');
    const turned = file.slice(0, last).replace(secrets, '') + secrets + file.slice(last);
    expect(turned).not.toBe(file);
    expect((await runCommand(['import', ...target.flags], { input: turned })).code).toBe(0);
    expect(await exported(target)).toBe(file);
  });

  it('leaves nothing if killed, and can be repeated', async () => {
    await using target = await newDatabase(engine);
    const { child, ended } = spawnProgram(['import', ...target.flags]);
    child.stdin.write(file.slice(0, -200));
    await eventually(
      () => isBeingWritten(target),
      (isTrue) => isTrue,
    );
    child.kill('SIGKILL');
    await ended;
    expect(await rowCount(target)).toBe(0n);
    expect((await runCommand(['import', ...target.flags], { input: file })).code).toBe(0);
    expect(await exported(target)).toBe(file);
  });

  it('is rejected if the export is truncated, anywhere', async () => {
    for (const length of [file.length - 1_000, Math.floor(file.length / 2), file.indexOf('{"end"')]) {
      expect(await domainError(file.slice(0, length))).toMatch(
        /ends before its last line|a line that is not JSON/,
      );
    }
  });

  itOfFormat('is rejected when a row was changed', async () => {
    const text = changed(/"pending"/, (line) => line.replace('"pending"', '"shipped"'));
    expect(await domainError(text)).toContain('the export was changed or damaged: orders has different rows');
  });

  itOfFormat('is rejected when a row is missing', async () => {
    const text = changed(/"pending"/, () => '\u0000').replace('\u0000\n', '');
    expect(await domainError(text)).toMatch(
      /the export was changed or damaged: orders has \d+ rows instead of/,
    );
  });

  it('is rejected if a row is duplicated', async () => {
    await using target = await newDatabase(engine);
    const twice = changed(/"pending"/, (line) => `${line}\n${line}`);
    const { code, stderr } = await runCommand(['import', ...target.flags], { input: twice });
    expect([code, stderr]).toEqual([
      1,
      expect.stringMatching(/^petstore: the database rejected the import: [^\n]+\n$/),
    ]);
    expect(await rowCount(target)).toBe(0n);
  });

  itOfFormat('is rejected when its checksum was changed', async () => {
    const text = file.replace(/("orders":\{"rows":\d+,"sha256":")./, '$1x');
    expect(await domainError(text)).toContain('the export was changed or damaged: orders');
  });

  itOfFormat('is rejected when something follows its last line', async () => {
    expect(await domainError(`${file}["more"]\n`)).toContain('has data after its last line');
  });

  it('is rejected if a value does not fit its column', async () => {
    for (const value of ['12x', '99999999999999999999', '1.5']) {
      const text = changed(/^\["-?\d+","2","11"/, (line) => line.replace('"11"', `"${value}"`));
      expect(await domainError(text)).toContain('a row that does not match its table');
    }
  });

  itOfFormat.each([
    ['nothing', '', 'the input is empty'],
    ['other text', 'hello\n', 'a line that is not JSON'],
    ['other JSON', '{"data":[]}\n', 'not a petstore export'],
    ['null', 'null\n', 'not a petstore export'],
    [
      'another version',
      '{"format":"petstore export 1","deployment":"production","schema":99,"rows":{}}\n',
      'schema version 99',
    ],
    [
      'another deployment',
      '{"format":"petstore export 1","deployment":"staging","schema":99,"rows":{}}\n',
      'is from staging',
    ],
  ])('is rejected if it is %s', async (_, text, reason) => {
    expect(await domainError(text)).toContain(reason);
  });

  it('is rejected while the database is locked, after a timeout', async () => {
    await using target = await newDatabase(engine);
    await openOnce(target);
    await using _locked = await target.holdWriters();
    using _ = withTimeouts({ busyTimeoutMs: 1, transferLockTimeoutMs: 100 });
    const { code, stderr } = await runCommand(['import', ...target.flags], { input: file });
    expect([code, stderr]).toEqual([1, expect.stringMatching(/^petstore: the database .*is unavailable/m)]);
  });
});

describe('a committed import is reported as successful', () => {
  /** An export of so much that the file has to grow by it, once it was committed. */
  async function exportOf(keys: number): Promise<string> {
    await using source = await newDatabase('sqlite');
    await fill(source);
    await source.exec(
      `WITH RECURSIVE numbers(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < ${keys})
       INSERT INTO idempotency SELECT stores.id, 'key ' || n, 'fingerprint', 'answer', 1, 1 FROM numbers, stores`,
    );
    return exported(source);
  }

  it.runIf(mayMount)('even if the disk has no space for a checkpoint', async () => {
    const file = await exportOf(10_000);
    using disk = smallDisk('5m');
    const flags = ['--deployment', 'production', '--data', disk.path];
    const { code, stderr } = await runCommand(['import', ...flags], { input: file });
    expect([code, stderr]).toEqual([0, expect.stringContaining('Imported and verified')]);
    expect(statSync(join(disk.path, 'production.db-wal')).size).toBeGreaterThan(0);
  });

  it('even if another program’s table cannot be analyzed', async () => {
    const file = await exportOf(1);
    await using target = await newDatabase('postgres');
    const other = new pg.Client(target.location.database);
    await other.connect();
    await other.query('CREATE TABLE of_another (n int)');
    await other.query('BEGIN; LOCK TABLE of_another IN SHARE UPDATE EXCLUSIVE MODE');
    using _ = withTimeouts({ transferLockTimeoutMs: 100 });
    const { code, stderr } = await runCommand(['import', ...target.flags], { input: file });
    await other.end();
    expect([code, stderr]).toEqual([0, expect.stringContaining('Imported and verified')]);
  });
});

/** Whether the program has begun to write its input. */
async function isBeingWritten({ engine, location, rows }: TestDatabase): Promise<boolean> {
  if (engine === 'postgres') {
    const busy = await rows(`SELECT 1 AS one FROM pg_stat_activity WHERE datname = current_database()
      AND state = 'idle in transaction' AND query ILIKE 'insert into%' AND to_regclass('accounts') IS NOT NULL`);
    return busy.length > 0;
  }
  const path = join(location.data, 'production.db');
  if (!existsSync(path)) return false;
  using other = new DatabaseSync(path, { timeout: 0 });
  try {
    // The tables exist before the first write.
    other.prepare('SELECT count(*) FROM attempts').get();
  } catch {
    return false;
  }
  try {
    other.exec('BEGIN IMMEDIATE');
    return false;
  } catch {
    return true;
  }
}

describe('export and import', () => {
  it.each([
    [['export'], 'export requires --deployment'],
    [['import'], 'import requires --deployment'],
    [['export', '--deployment', 'production', 'here'], "unexpected argument 'here' for export"],
  ])('reject %j on the command line', async (args, reason) => {
    const { code, stderr } = await runCommand(args);
    expect([code, stderr]).toEqual([2, expect.stringContaining(reason)]);
  });

  it('reject a missing source', async () => {
    const { code, stderr } = await runCommand([
      'export',
      '--deployment',
      'production',
      '--data',
      '/nowhere/at/all',
    ]);
    expect([code, stderr]).toEqual([
      1,
      expect.stringContaining('database /nowhere/at/all/production.db not found'),
    ]);
  });

  it('report a closed output', async () => {
    await using source = await newDatabase('sqlite');
    await fill(source);
    const { child, ended } = spawnProgram(['export', ...source.flags]);
    child.stdout.destroy();
    const { code, stderr } = await ended;
    expect([code, stderr]).toEqual([1, expect.stringContaining('could not be written (EPIPE)')]);
  });
});
