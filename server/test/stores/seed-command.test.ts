import { describe, expect, it } from 'vitest';
import { run } from '../../../cli/src/program.ts';
import { UsageError } from '../../src/config/usage-error.ts';
import { runCommand, testContext } from '../support/command.ts';
import { engines } from '../support/engines.ts';
import { startService } from '../support/service.ts';

/** Of a thousand orders, those that are not cancelled. */
const LISTED = 907;

describe.each(engines)('petstore seed on $name', (engine) => {
  it('opens a store with the given number of orders, the same every time, and prints only its key', async () => {
    await using database = await engine.create();
    const run = () => runCommand(['seed', '--orders', '1000', ...database.flags]);
    const [first, second] = [await run(), await run()];
    expect(first.code).toBe(0);
    expect(first.stdout).toMatch(/^pst_live_\w{38}\n$/);

    await using service = await startService(engine, { database });
    const lists = await Promise.all(
      [first, second].map(({ stdout }) => service.request('GET /v1/store/orders', { key: stdout.trim() })),
    );
    expect(lists[0]?.bytes).toEqual(lists[1]?.bytes);
    expect(lists[0]?.json()).toHaveLength(LISTED);

    const pending = await database.rows("SELECT id FROM orders WHERE status = 'pending' ORDER BY id LIMIT 1");
    const cancelled = await service.request(`DELETE /v1/store/orders/${pending[0]?.id}`, {
      key: first.stdout.trim(),
    });
    expect(cancelled.status).toBe(204);
  });

  it('generates orders in every state, for every pet, with a matching history', async () => {
    await using database = await engine.create();
    await runCommand(['seed', '--orders', '1000', ...database.flags]);
    expect(await database.rows('SELECT DISTINCT status FROM orders ORDER BY status')).toEqual(
      ['cancelled', 'delivered', 'pending', 'shipped'].map((status) => ({ status })),
    );
    expect(await database.rows('SELECT DISTINCT pet_id FROM orders')).toHaveLength(12);
    expect(
      await database.rows(
        `SELECT id FROM orders
         WHERE ship_date <= placed_at
            OR CASE status WHEN 'pending' THEN updated_at <> placed_at OR revision <> 1
                 WHEN 'shipped' THEN updated_at <> ship_date OR revision <> 2
                 WHEN 'delivered' THEN updated_at <= ship_date OR revision <> 3
                 ELSE updated_at <= placed_at OR revision <> 2 END`,
      ),
    ).toEqual([]);
  });

  it('leaves nothing behind if it fails midway', async () => {
    await using database = await engine.create();
    await runCommand(['seed', '--orders', '1', ...database.flags]);
    // The key is the last thing to be written.
    await database.exec(
      database.engine === 'sqlite'
        ? "CREATE TRIGGER no_keys BEFORE INSERT ON keys BEGIN SELECT RAISE(ABORT, 'no more keys'); END"
        : 'ALTER TABLE keys ADD CONSTRAINT no_more_keys CHECK (false) NOT VALID',
    );
    const ended = await runCommand(['seed', '--orders', '100', ...database.flags]);
    expect([ended.code, ended.stdout]).toEqual([1, '']);
    for (const table of ['stores', 'keys', 'orders']) {
      expect(await database.rows(`SELECT count(*) AS count FROM ${table}`)).toEqual([{ count: 1n }]);
    }
    expect(await database.rows('SELECT count(*) AS count FROM pets')).toEqual([{ count: 12n }]);
  });
});

describe('petstore seed', () => {
  it.each([
    ['no number', []],
    ['a number that is none', ['--orders', 'many']],
    ['no orders', ['--orders', '0']],
    ['less than none', ['--orders', '-5']],
    ['an argument', ['10', '--orders', '10']],
  ])('with %s is a usage error', async (_, args) => {
    await expect(
      run(['seed', ...args, '--data', '/dev/null/nowhere'], testContext().context),
    ).rejects.toThrow(UsageError);
  });
});
