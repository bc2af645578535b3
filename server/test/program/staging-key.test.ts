import { describe, expect, it } from 'vitest';
import { serveConfigFrom } from '../../src/config/serve-config.ts';
import { runCommand } from '../support/command.ts';
import { anyEngine, temporaryFolder } from '../support/engines.ts';
import { runProgram, startProgram } from '../support/program.ts';

const KEY = 'test-key!';
const beyond = ['--port', '0', '--host', '0.0.0.0', '--workers', '1'];

describe.each(anyEngine)('a static key on $name', (engine) => {
  it('opens staging’s demonstration store, even beyond loopback, until a start sets another', async () => {
    await using database = await engine.create('staging');
    const serve = (...more: string[]) => startProgram([...database.flags, ...beyond, ...more]);
    let keyLine: string | undefined;
    {
      await using program = await serve('--staging-key', KEY);
      keyLine = program.lines.find((line) => line.startsWith('staging'));
      expect(program.output.stderr).toContain('is public');
      const pets = await program.request('GET /v1/pets', { key: KEY });
      expect([pets.status, pets.headers.ratelimit]).toEqual([200, undefined]);
      expect((await program.request('DELETE /v1/store/orders/2', { key: KEY })).status).toBe(204);
      const preferring = { key: KEY, headers: { prefer: 'now="2030-12-06T00:00:00Z"' } };
      expect((await program.request('GET /v1/pets/1', preferring)).status).toBe(410);
      expect((await program.request('GET /v1/pets', { key: `${KEY}x` })).status).toBe(401);
    }
    expect(keyLine).toContain(`key ${KEY}`);
    {
      await using program = await serve('--staging-key', 'another-key', '--rate-limit', '100');
      expect((await program.request('GET /v1/pets', { key: KEY })).status).toBe(401);
      const orders = await program.request('GET /v1/store/orders', { key: 'another-key' });
      expect(orders.json()).toHaveLength(39);
      expect(orders.headers.ratelimit).toContain('r=99');
      const reading = await runCommand([
        ...['keys', 'create', '--scope', 'read', '--key', 'another-key'],
        ...database.flags,
      ]);
      const key = reading.stdout.trim();
      expect((await program.request('GET /v1/store/orders', { key })).json()).toHaveLength(39);
      expect((await program.request('DELETE /v1/store/orders/4', { key })).status).toBe(403);
    }
    const revoked = await runCommand(['keys', 'revoke', 'key_known_in_advance', ...database.flags]);
    expect([revoked.code, revoked.stderr]).toEqual([
      2,
      expect.stringContaining('cannot be rolled or revoked'),
    ]);
    const [row] = await database.rows("SELECT store_id FROM keys WHERE id = 'key_known_in_advance'");
    const byStore = await runCommand(['keys', 'create', '--store', String(row?.store_id), ...database.flags]);
    const made = byStore.stdout.trim();
    await using program = await serve();
    expect((await program.request('GET /v1/pets', { key: 'another-key' })).status).toBe(401);
    expect((await program.request('GET /v1/store/orders', { key: made })).json()).toHaveLength(39);
    const taken = await runProgram(['serve', ...database.flags, ...beyond, '--staging-key', made]);
    expect([taken.code, taken.stderr]).toEqual([2, expect.stringContaining('is already the key of a store')]);
  });
});

describe('--staging-key', () => {
  it.each([
    [{ 'staging-key': 'short' }, '8 to 100'],
    [{ 'staging-key': 'with a space' }, '8 to 100'],
    [{ 'staging-key': 'größe-schlüssel' }, '8 to 100'],
    [{ 'staging-key': 'x'.repeat(101) }, '8 to 100'],
    [{ 'staging-key': 'pst_live_key' }, 'pst_live_'],
    [{ 'staging-key': KEY, deployment: 'production' }, 'is not running'],
  ])('%o is rejected: %s', (values, why) => {
    expect(() => serveConfigFrom(values)).toThrow(why);
  });

  it('leaves production’s limit unchanged', () => {
    const { rateLimit, stagingRateLimit } = serveConfigFrom({ host: '0.0.0.0', 'staging-key': KEY });
    expect([rateLimit, stagingRateLimit]).toEqual([1_200, undefined]);
  });
});

describe('keys create for an existing store', () => {
  it.each([
    [['--store', '1'], 'store 1 not found', 5],
    [['--store', 'x'], 'invalid --store', 2],
    [['--key', 'nonsense'], 'not an active key', 2],
    [['--key', 'nonsense', '--store', '1'], 'cannot be combined', 2],
  ])('%s: %s', async (args, why, ends) => {
    using folder = temporaryFolder();
    const at = ['--deployment', 'staging', '--data', folder.path];
    await runCommand(['keys', 'create', ...at]);
    const { code, stderr, stdout } = await runCommand(['keys', 'create', ...args, ...at]);
    expect([code, stdout, stderr]).toEqual([ends, '', expect.stringContaining(why)]);
  });
});
