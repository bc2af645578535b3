import { execFile } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createClient } from '../../client/src/index.ts';
import { failingOutput, runCommand, startCommand } from '../../server/test/support/command.ts';
import { sqlite, temporaryFolder } from '../../server/test/support/engines.ts';
import { freePort } from '../../server/test/support/free-port.ts';
import { main } from '../../server/test/support/program.ts';
import { type TestStore, useService } from '../../server/test/support/service.ts';

const MAX = '9223372036854775807';

/** Whether this machine has a program. */
const found = (program: string): boolean =>
  (process.env.PATH ?? '').split(':').some((folder) => existsSync(join(folder, program)));

describe('a store on the command line', () => {
  const service = useService(sqlite, { deployment: 'staging' });
  let home: ReturnType<typeof temporaryFolder>;
  beforeAll(() => {
    home = temporaryFolder();
  });
  afterAll(() => home[Symbol.dispose]());

  /** The program with its own store. */
  const withStore = async () => {
    const store = await service().openStore();
    const env = { XDG_CONFIG_HOME: home.path, PETSTORE_URL: service().origin, PETSTORE_KEY: store.key };
    const run = (...args: string[]) => runCommand(args, { env });
    const json = async (...args: string[]) => {
      const { code, stdout, stderr } = await run(...args, '--json');
      expect([code, stderr]).toEqual([0, '']);
      return stdout;
    };
    return { store, env, run, json };
  };

  it('places, ships, delivers and cancels orders, with output for people and programs', async () => {
    const { run, json } = await withStore();
    const placed = JSON.parse(await json('orders', 'place', '--pet', '1', '--quantity', '2'));
    expect(placed).toMatchObject({ id: 41, petId: 1, quantity: 2, status: 'pending' });
    expect((await run('orders', 'ship', '41')).stdout).toMatch(/^ID +PET .*\n41 +1 +2 +shipped /);
    expect(JSON.parse(await json('orders', 'deliver', '41'))).toMatchObject([{ id: 41, complete: true }]);
    const shown = await run('orders', 'get', '41');
    expect(shown.stdout).toMatch(
      /^ID +41\n.*STATUS +delivered\n.*PENDING +\S+ \S+ UTC\nSHIPPED +\S+ \S+ UTC\nDELIVERED +\S+ \S+ UTC\n$/s,
    );
    expect(shown.stdout).not.toContain('\x1b');
    const first = await run('orders', 'list', '--status', 'pending', '--sort', '-id', '--limit', '3');
    expect(first.stdout.trimEnd().split('\n')).toHaveLength(4);
    const [one, other] = JSON.parse(await json('orders', 'list', '--status', 'pending', '--limit', '2'));
    expect(JSON.parse(await json('orders', 'cancel', String(one.id), String(other.id)))).toMatchObject([
      { id: one.id, status: 'cancelled' },
      { id: other.id, status: 'cancelled' },
    ]);
    expect(JSON.parse(await json('orders', 'list', '--all'))).toHaveLength(41);
  });

  it('reports that TLS is missing for an https address, not that a change may have happened', async () => {
    const { run } = await withStore();
    const url = service().origin.replace('http:', 'https:');
    const { code, stderr } = await run('orders', 'cancel', '2', '--url', url);
    expect(code).toBe(3);
    expect(stderr).toMatch(/^petstore: order 2: The connection failed: .*wrong version number.*\n$/);
    expect(stderr).not.toMatch(/may have been applied|Is the service running/);
  });

  it('preserves every integer exactly', async () => {
    const { run, json } = await withStore();
    expect(await json('sandbox', 'reset', '--data-set', 'int64', '--seed', MAX)).toContain(`"seed":${MAX}`);
    expect(await json('orders', 'get', MAX)).toContain(`"id":${MAX},`);
    const list = await json('orders', 'list');
    expect(list).toContain('"id":9007199254740993,');
    expect(JSON.parse(list)).toHaveLength(9);
    expect((await run('pets', 'list')).stdout).toMatch(new RegExp(`^${MAX} `, 'm'));
  });

  it('exits with a meaningful code and a one-line reason', async () => {
    const { run, env } = await withStore();
    const unreachable = { ...env, PETSTORE_URL: `http://127.0.0.1:${await freePort()}` };
    const wrong = { ...env, PETSTORE_KEY: env.PETSTORE_KEY.replace(/.$/, '_') };
    const ended = await Promise.all([
      run('orders', 'get', 'abc'),
      run('orders', 'cancel', '02'),
      run('orders', 'list', '--statsu', 'pending'),
      run('orders', 'get', '777'),
      run('orders', 'cancel', '1'),
      run('orders', 'list', '--status', 'lost'),
      run('pets', 'set-stock', '1', '-5'),
      runCommand(['orders', 'list'], { env: wrong }),
      runCommand(['doctor'], { env: unreachable }),
    ]);
    expect(ended.map(({ code, stderr }) => [code, stderr.replace(/; request [\w-]+/, '')])).toEqual([
      [2, `petstore: invalid order ID 'abc': must be a whole number from 0 to ${MAX}\n`],
      [2, `petstore: invalid order ID '02': must be a whole number from 0 to ${MAX}\n`],
      [2, expect.stringMatching(/'--statsu' \(Did you mean --status\?\).*\n$/)],
      [5, 'petstore: The requested resource could not be found. (404 not_found)\n'],
      [6, expect.stringMatching(/^petstore: order 1: [^\n]+\(409 order_already_shipped\)\n$/)],
      [7, expect.stringMatching(/^petstore: [^\n]+\(400 invalid_parameter\)\n$/)],
      [2, "petstore: invalid stock '-5': must be a whole number from 0 to 1000000000\n"],
      [4, expect.stringMatching(/^petstore: [^\n]+\(401 invalid_api_key\)\n$/)],
      [1, ''],
    ]);
    expect(ended[4]?.stdout).toBe('');
    expect(ended.at(-1)?.stdout).toMatch(/^FAIL {2}address .*does not respond/m);
  });

  it('exits with 3 for a temporary failure and with 4 for a missing permission', async () => {
    const { run, env, store } = await withStore();
    // No call waits so long for another try.
    const failing = (operation: string, code: number) =>
      ({ operation, fault: 'status', parameters: { code, retryAfter: 3_600 } }) as const;
    const client = createClient({ baseUrl: env.PETSTORE_URL, key: store.key });
    await client.sandbox.setFaults([failing('v2.getPet', 503), failing('v2.getOrder', 429)]);
    const create = ['keys', 'create', '--scope', 'read', '--key', store.key];
    const reading = (await runCommand([...create, ...service().database.flags])).stdout.trim();
    const ended = await Promise.all([
      run('pets', 'get', '1'),
      run('orders', 'get', '2', '--json'),
      run('orders', 'cancel', '2', '--key', reading),
    ]);
    expect(ended.map(({ code, stderr }) => [code, stderr])).toEqual([
      [3, expect.stringContaining('(503 unavailable; request ')],
      [3, expect.stringMatching(/"code":"rate_limited",.*"exitCode":3/)],
      [4, expect.stringContaining('(403 forbidden; request ')],
    ]);
  });

  it('reports that an order may have been placed and how to retry safely, whatever the last error', async () => {
    const { run, env, store } = await withStore();
    const operation = 'v2.placeOrder';
    const place = ['orders', 'place', '--pet', '1'];
    const client = createClient({ baseUrl: env.PETSTORE_URL, key: store.key });
    const loseResponse = () =>
      client.sandbox.setFaults([
        { operation, fault: 'lost-answer' },
        { operation, fault: 'status', parameters: { code: 503, retryAfter: 3_600 }, times: null },
      ]);
    await loseResponse();
    const text = await run(...place);
    expect([text.code, text.stderr]).toEqual([
      3,
      expect.stringMatching(
        /\(503 .*\) The change may have been applied\. To retry without placing a second order, pass --idempotency-key \S+\.\n$/,
      ),
    ]);
    await loseResponse();
    const json = await run(...place, '--json');
    const reported = JSON.parse(json.stderr);
    expect(reported).toMatchObject({ status: 503, mayBeDone: true, idempotencyKey: expect.any(String) });
    await client.sandbox.clearFaults();
    expect((await run(...place, '--idempotency-key', reported.idempotencyKey)).stdout).toMatch(/^ID +42$/m);
    await client.sandbox.setFaults([
      { operation: 'v2.listPets', fault: 'status', parameters: { code: 503, retryAfter: 3_600 } },
    ]);
    expect((await run('pets', 'list')).stderr).not.toContain('may have been applied');
  });

  it('lists orders by each of its filters', async () => {
    const { json } = await withStore();
    type Listed = { petId: number; complete: boolean; shipDate: string };
    const list = async (...filter: string[]): Promise<Listed[]> =>
      JSON.parse(await json('orders', 'list', ...filter));
    const all = await list();
    const { petId: pet, shipDate: time = '' } = all[20] ?? {};
    const filters: Array<[filter: string[], isExpected: (order: Listed) => boolean]> = [
      [['--pet', String(pet)], ({ petId }) => petId === pet],
      [['--complete'], ({ complete }) => complete],
      [['--no-complete'], ({ complete }) => !complete],
      [['--from', time], ({ shipDate }) => shipDate >= time],
      [['--to', time], ({ shipDate }) => shipDate < time],
    ];
    const check = async ([filter, isExpected]: (typeof filters)[number]) => {
      const expected = all.filter(isExpected);
      expect([filter, expected.length < all.length]).toEqual([filter, true]);
      expect([filter, await list(...filter)]).toEqual([filter, expected]);
    };
    await Promise.all(filters.map(check));
  });

  it('reports the outcome of each order, and exits with 1 if one was rejected', async () => {
    const { run } = await withStore();
    const { code, stdout, stderr } = await run('orders', 'ship', '2', '1', '9999', '4');
    expect({ code, shipped: stdout.match(/^\d+ .* shipped/gm)?.map((line) => line.split(' ')[0]) }).toEqual({
      code: 1,
      shipped: ['2', '4'],
    });
    expect(stderr.replaceAll(/; request [\w-]+/g, '').split('\n')).toEqual([
      expect.stringMatching(/^petstore: order 1: .*\(409 invalid_transition\)$/),
      'petstore: order 9999: The requested resource could not be found. (404 not_found)',
      '',
    ]);
  });

  it('stops after an error that affects every order, reports each one, and exits like a single change', async () => {
    const { env } = await withStore();
    const unreachable = { ...env, PETSTORE_URL: `http://127.0.0.1:${await freePort()}` };
    const wrong = { ...env, PETSTORE_KEY: env.PETSTORE_KEY.replace(/.$/, '_') };
    const ship = ['orders', 'ship', '2', '4', '6'];
    const [down, rejected, json] = await Promise.all([
      runCommand(ship, { env: unreachable }),
      runCommand(ship, { env: wrong }),
      runCommand([...ship, '--json'], { env: wrong }),
    ]);
    const notTried = ['petstore: order 4: not tried', 'petstore: order 6: not tried', ''];
    expect([down.code, down.stderr.split('\n').slice(1)]).toEqual([3, notTried]);
    expect([rejected.code, rejected.stderr.split('\n').slice(1)]).toEqual([4, notTried]);
    const reported = json.stderr.trim().split('\n');
    expect([json.code, reported.map((line) => JSON.parse(line))]).toMatchObject([
      4,
      [
        { code: 'invalid_api_key', exitCode: 4 },
        { code: 'not_tried', message: 'order 4: not tried', exitCode: 4 },
        { code: 'not_tried', message: 'order 6: not tried', exitCode: 4 },
      ],
    ]);
  });

  it('reports an order as cancelled even if reading it back fails', async () => {
    const { run } = await withStore();
    await run('sandbox', 'faults', 'arm', 'v2.getOrder', 'status', '--code', '404', '--times', 'always');
    const { code, stderr } = await run('orders', 'cancel', '2');
    expect([code, stderr]).toEqual([5, expect.stringMatching(/^petstore: order 2: Cancelled, but /)]);
    await run('sandbox', 'faults', 'clear');
    expect((await run('orders', 'get', '2')).stdout).toMatch(/^STATUS +cancelled$/m);
  });

  it('that changes orders exits with 1 when its output is closed', async () => {
    const { env, run } = await withStore();
    const stdout = failingOutput('EPIPE', 2);
    const ended = await runCommand(['orders', 'ship', '2', '4', '6'], { env, stdout });
    expect(ended).toMatchObject({ code: 1, stderr: '' });
    const states = await Promise.all(
      ['2', '4', '6'].map(async (id) => (await run('orders', 'get', id)).stdout),
    );
    expect(states.map((text) => /^STATUS +(\w+)$/m.exec(text)?.[1])).toEqual([
      'shipped',
      'shipped',
      'pending',
    ]);
  });

  it('that only reads exits with 0 when its output is closed', async () => {
    const { env } = await withStore();
    const keys = ['keys', 'list', ...service().database.flags];
    for (const command of [['orders', 'list'], ['pets', 'list', '--json'], keys, ['--help']]) {
      const { code, stderr } = await runCommand(command, { env, stdout: failingOutput('EPIPE') });
      expect([command, code, stderr]).toEqual([command, 0, '']);
    }
  });

  it('reports in one line that the result could not be written', async () => {
    const { env } = await withStore();
    const place = ['orders', 'place', '--pet', '1'];
    const reported = 'the result could not be written: ';
    expect(await runCommand(place, { env, stdout: failingOutput('EPIPE') })).toMatchObject({
      code: 1,
      stderr: `petstore: ${reported}write EPIPE\n`,
    });
    for (const command of [place, ['orders', 'ship', '41'], ['pets', 'list'], ['sandbox', 'data']]) {
      const stdout = failingOutput('ENOSPC');
      const { code, stderr } = await runCommand([...command, '--json'], { env, stdout });
      expect([command, code, JSON.parse(stderr)]).toEqual([
        command,
        1,
        { code: 'not_written', message: `${reported}write ENOSPC`, exitCode: 1 },
      ]);
    }
  });

  it('reports a rejected order as JSON on standard error, and nothing on standard output', async () => {
    const { run } = await withStore();
    const one = await run('orders', 'cancel', '1', '--json');
    expect([one.code, one.stdout, JSON.parse(one.stderr)]).toEqual([
      6,
      '',
      {
        code: 'order_already_shipped',
        message: expect.stringMatching(/^order 1: .*\(409 /),
        status: 409,
        requestId: expect.any(String),
        exitCode: 6,
      },
    ]);
    const several = await run('orders', 'ship', '1', '9999', '--json');
    expect([
      several.code,
      several.stderr
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line)),
    ]).toMatchObject([
      1,
      [
        { code: 'invalid_transition', exitCode: 1 },
        { code: 'not_found', exitCode: 1 },
      ],
    ]);
  });

  it('lists newest first with pet names and readable times; programs get exact values', async () => {
    const { run, json } = await withStore();
    const { stdout } = await run('orders', 'list', '--limit', '2');
    const time = /\d{4}-\d\d-\d\d \d\d:\d\d UTC/;
    expect(stdout.split('\n').slice(1, 3)).toEqual([
      expect.stringMatching(new RegExp(`^40 +9 Hazel +1 +pending +${time.source}  ${time.source}`)),
      expect.stringMatching(/^39 +4 Misty /),
    ]);
    expect((await run('orders', 'get', '40')).stdout).toMatch(/^PET +9 Hazel$/m);
    await expect
      .poll(async () => (await run('requests')).stdout)
      .toMatch(/^AT .*\n\d{4}-\d\d-\d\d \d\d:\d\d:\d\d UTC {2}/);
    const [order] = JSON.parse(await json('orders', 'list', '--limit', '1'));
    expect(order).toMatchObject({ id: 40, petId: 9, shipDate: expect.stringMatching(/T.*\.000Z$/) });
  });

  it('lists required arguments, operations and faults in its help', async () => {
    const place = await runCommand(['orders', 'place', '--help']);
    expect(place.stdout).toMatch(/--pet <PET_ID> .*\(required\)$/m);
    const { stdout } = await runCommand(['sandbox', 'faults', 'arm', '--help']);
    expect(stdout).toMatch(/v1\.cancelOrder .*v2\.placeOrder/s);
    expect(stdout).toMatch(/^ {2}lost-answer +\S/m);
    const inOneLine = async (command: string) =>
      (await runCommand([command, '--help'])).stdout.replaceAll(/\s+/g, ' ');
    expect(await inOneLine('login')).toContain('- to read it from standard input');
    expect(await inOneLine('check-client')).toContain('in python, javascript, java or go');
    expect(await inOneLine('backup')).toContain('--data ');
    expect(await inOneLine('backup')).not.toContain('--database');
    expect(await inOneLine('restore')).toContain('--database ');
    for (const command of ['backup', 'restore']) {
      const postgres = ['--deployment', 'staging', '--database', 'postgres://x'];
      const rejected = await runCommand([command, 'x', ...postgres]);
      expect(rejected).toMatchObject({ code: 2, stderr: expect.stringMatching(/pg_(dump|restore)/) });
    }
  });

  it('shows pets, adds one, sets stock, and arms faults', async () => {
    const { run, json } = await withStore();
    const pet = JSON.parse(
      await json('pets', 'create', '--name', 'Zoë', '--category', 'dog', '--stock', '3'),
    );
    expect(pet).toMatchObject({ id: 13, name: 'Zoë', stock: 3, status: 'available' });
    expect((await run('pets', 'set-stock', '13', '0')).stdout).toMatch(/STATUS +sold\n$/);
    expect(JSON.parse(await json('pets', 'list', '--status', 'sold', '--category', 'dog'))).toMatchObject([
      { id: 13 },
    ]);
    const arm = ['sandbox', 'faults', 'arm', 'v2.placeOrder', 'status', '--code', '503', '--times', 'always'];
    expect((await run(...arm)).stdout).toMatch(/^v2\.placeOrder +status +code 503 +always +1 +0$/m);
    const later = await run(...arm, '--retry-after', '7', '--retry-after-form', 'date');
    expect(later.stdout).toMatch(/ code 503, retryAfter 7, retryAfterForm date /);
    expect(await run('sandbox', 'faults', 'clear')).toMatchObject({ code: 0, stdout: '' });
    expect(JSON.parse(await json('sandbox', 'faults', 'list'))).toEqual([]);
    expect((await run('sandbox', 'faults', 'list')).stdout).toBe('No faults armed.\n');
    expect((await run('pets', 'list', '--category', 'none')).stdout).toBe('No pets.\n');
  });

  it('points at the invalid flag or argument of a fault, and suggests the closest operation', async () => {
    const { run } = await withStore();
    const arm = (line: string) => run('sandbox', 'faults', 'arm', ...line.split(' '));
    const rejected = await Promise.all([
      arm('v1.listOrders status'),
      arm('v1.listOrders delay --retry-after-form date --ms 5'),
      arm('v1.listOrders status --code 409'),
      arm('v1.listOrders constructor'),
      arm('v9.listOrders drop'),
    ]);
    expect(rejected.map(({ code, stderr }) => [code, stderr])).toEqual([
      [2, 'petstore: fault status requires --code\n'],
      [2, 'petstore: fault delay does not accept --retry-after-form\n'],
      [
        2,
        expect.stringMatching(/^petstore: invalid --code 409: v1\.listOrders returns one of 400, .*, 503\n$/),
      ],
      [2, "petstore: unknown fault 'constructor'; run petstore sandbox faults arm --help\n"],
      [
        2,
        "petstore: unknown operation 'v9.listOrders' (Did you mean v1.listOrders?); run petstore sandbox faults arm --help\n",
      ],
    ]);
    expect((await arm('* status --code 409')).code).toBe(0);
  });

  it('fills a store from a file and exports it; opens a store with a key, and ends it with that key', async () => {
    const { env, run, json } = await withStore();
    const file = join(home.path, 'data.json');
    writeFileSync(
      file,
      '{"pets":[{"name":"Ada","category":"cat","stock":2}],"orders":[{"id":9007199254740993,"petId":1,"quantity":1}]}',
    );
    expect(JSON.parse(await json('sandbox', 'reset', '--data', file))).toMatchObject({
      dataSet: 'own',
      pets: 1,
    });
    const { stdout } = await run('sandbox', 'data');
    expect(stdout).toContain('9007199254740993');
    writeFileSync(file, `\uFEFF${stdout}`);
    const opened = JSON.parse(await json('sandbox', 'stores', 'open', '--data', file, '--expires-in', '60'));
    expect(opened).toMatchObject({ orders: 1, key: expect.stringMatching(/^pst_test_/) });
    const own = { env: { ...env, PETSTORE_KEY: opened.key } };
    expect((await runCommand(['sandbox', 'stores', 'end'], own)).code).toBe(0);
    expect((await runCommand(['orders', 'list'], own)).code).not.toBe(0);
    expect((await run('sandbox', 'reset', '--data', file, '--seed', '1')).stderr).toContain(
      '--data cannot be combined',
    );
    expect((await run('sandbox', 'reset', '--data', `${file}x`)).stderr).toContain('invalid --data');
  });

  it('shows a pet named like an Object.prototype property', async () => {
    const { run } = await withStore();
    const pet = ['--name', 'constructor', '--category', 'toString'];
    expect((await run('pets', 'create', ...pet)).stdout).toMatch(/^NAME +constructor\nCATEGORY +toString$/m);
    expect((await run('pets', 'list')).stdout).toMatch(/^13 +constructor +toString /m);
  });

  it('follows orders as they change', async () => {
    const { env, run } = await withStore();
    await run('orders', 'ship', '2');
    await using watching = startCommand(['orders', 'watch', '--after', '0', '--json'], { env });
    await watching.written('stdout', '\n');
    expect(JSON.parse(watching.output.stdout.split('\n')[0] ?? '')).toMatchObject({
      type: 'order.shipped',
      data: { id: 2 },
    });
  });

  describe('profiles', () => {
    let store: TestStore;
    const run = (args: string[], env: Record<string, string> = {}, input = '') =>
      runCommand(args, { env: { XDG_CONFIG_HOME: join(home.path, 'profiles'), ...env }, input });
    const file = () => join(home.path, 'profiles', 'petstore', 'profiles.json');

    it('are saved readable only by their owner, after the key was tested', async () => {
      store = await service().openStore();
      const login = ['login', '--profile', 'mine', '--url', `${service().origin}/v1`, '--key'];
      const rejected = await run([...login, 'pst_test_nonsense']);
      expect(rejected.code).toBe(4);
      expect(rejected.stderr).not.toContain('PETSTORE_URL');
      const astray = await run(['login', '--key', 'pst_live_other'], { PETSTORE_URL: service().origin });
      expect([astray.code, astray.stderr]).toEqual([
        4,
        expect.stringMatching(/This is a production key.* PETSTORE_URL: unset it, or pass --url\. \(/),
      ]);
      const { code, stdout } = await run([...login, '-'], {}, `${store.key}\n`);
      expect(code).toBe(0);
      expect(stdout).not.toContain(store.key);
      expect(stdout).toContain(`Saved profile mine: ${service().origin}/v1, key ending in `);
      expect(statSync(file()).mode & 0o777).toBe(0o600);
      expect(statSync(join(file(), '..')).mode & 0o777).toBe(0o700);
      expect(JSON.parse(readFileSync(file(), 'utf8'))).toEqual({
        mine: { url: `${service().origin}/v1`, key: store.key },
      });
    });

    it('are selected by name, take precedence over environment keys, and apply only to their own address', async () => {
      const other = { PETSTORE_KEY: 'pst_test_other', PETSTORE_URL: 'http://127.0.0.1:1' };
      const listed = await run(['orders', 'list', '--profile', 'mine'], other);
      expect(listed.stdout.split('\n')).toHaveLength(42);
      const unnamed = await run(['pets', 'list']);
      expect([unnamed.code, unnamed.stderr]).toEqual([2, expect.stringContaining('no API key: pass --key')]);
      const otherUrl = await run(['pets', 'list', '--profile', 'mine', '--url', 'http://127.0.0.1:1']);
      expect([otherUrl.code, otherUrl.stderr]).toEqual([2, expect.stringContaining("profile 'mine' is for")]);
      const doctor = await run(['doctor'], { PETSTORE_PROFILE: 'mine' });
      expect([doctor.code, doctor.stdout.match(/^(?:ok|FAIL) +\w+/gm)]).toEqual([
        0,
        ['ok    versions', 'ok    profile', 'ok    address', 'ok    key', 'ok    clock'],
      ]);
      chmodSync(file(), 0o644);
      const open = await run(['pets', 'list', '--profile', 'mine']);
      expect([open.code, open.stderr]).toEqual([2, expect.stringContaining('chmod 600')]);
      chmodSync(file(), 0o600);
      expect((await run(['logout', '--profile', 'mine'])).code).toBe(0);
      expect(readFileSync(file(), 'utf8')).not.toContain(store.key);
    });
  });

  it.skipIf(process.platform !== 'linux' || !found('script'))(
    'show a progress message in a terminal only',
    async () => {
      const { env } = await withStore();
      const out = join(home.path, 'reset.json');
      const command = `'${process.execPath}' '${main}' sandbox reset --data-set large --orders 2000 --json > '${out}'`;
      const { stdout } = await promisify(execFile)('script', ['-qec', command, '/dev/null'], {
        env: { ...process.env, ...env },
      });
      const [, ...drawn] = stdout.split('\r\x1b[K');
      expect(drawn[0]).toBe('Generating data set large with 2000 orders, 0 s');
      expect(drawn.at(-1)).toBe('');
      expect(JSON.parse(readFileSync(out, 'utf8'))).toMatchObject({ dataSet: 'large', orders: 2000 });
    },
  );

  describe('completes commands, flags, values and profiles', () => {
    const typed = [
      'petstore or',
      'petstore orders ca',
      'petstore orders list --st',
      'petstore serve --deployment s',
      'petstore orders list --profile w',
    ];
    const completed = ['orders', 'cancel', '--status', 'staging', 'work'];
    /** Command lines to complete; each starts the program once. */
    const [typedInShell, completedInShell] = [typed.slice(3), completed.slice(3)];
    let env: NodeJS.ProcessEnv;
    beforeAll(() => {
      const folder = join(home.path, 'bin');
      mkdirSync(join(folder, 'petstore.d', 'petstore'), { recursive: true });
      writeFileSync(join(folder, 'petstore'), `#!/bin/sh\nexec '${process.execPath}' '${main}' "$@"\n`, {
        mode: 0o755,
      });
      const profiles = JSON.stringify({ work: { url: 'http://127.0.0.1:1', key: 'pst_test_x' } });
      writeFileSync(join(folder, 'petstore.d', 'petstore', 'profiles.json'), profiles, { mode: 0o600 });
      env = {
        ...process.env,
        PATH: `${folder}:${process.env.PATH}`,
        XDG_CONFIG_HOME: join(folder, 'petstore.d'),
      };
    });
    const inShell = async (shell: string, flags: string[], script: string) =>
      (await promisify(execFile)(shell, [...flags, '-c', script], { env })).stdout.trimEnd().split('\n');

    it('in the way each shell asks for completions', async () => {
      const completions = typed.map(async (line) => {
        const words = line.split(' ').slice(1);
        const { stdout } = await runCommand(['complete', '--', ...words], {
          env: env as Record<string, string>,
        });
        return stdout.trimEnd();
      });
      expect(await Promise.all(completions)).toEqual(completed);
    });

    it('in bash', async () => {
      const script = `
        source <(petstore completion bash)
        try() { COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _petstore; echo "\${COMPREPLY[*]}"; }
        ${typedInShell.map((line) => `try ${line}`).join('\n')}
        # That of macOS has none.
        enable -n compopt
        try petstore orders get x 2>&1
      `;
      expect(await inShell('bash', [], `${script}\necho end`)).toEqual([...completedInShell, '', 'end']);
    });

    it.skipIf(!found('fish'))('in fish', async () => {
      const script = `petstore completion fish | source
        ${typedInShell.map((line) => `complete -C '${line}'`).join('\n')}`;
      expect(await inShell('fish', ['--no-config'], script)).toEqual(completedInShell);
    });

    it.skipIf(!found('zsh'))('in zsh, from the first Tab', async () => {
      // Each line is typed into a new shell, whose ^X shows the result.
      const setUp = [
        "PROMPT=''",
        'fpath=($PWD $fpath)',
        'autoload -Uz compinit',
        'compinit -u -D',
        'show() { zle -I; print -r -- "<<$BUFFER>>"; exit }',
        'zle -N show',
        "bindkey '^X' show",
        'print READY$((1+1))',
      ];
      const script = `
        cd "$XDG_CONFIG_HOME"; petstore completion zsh > _petstore
        zmodload zsh/zpty
        try() {
          local said
          zpty z zsh -f -i
          zpty -w z ${quoted(setUp.join('; '))}
          zpty -r -m z said '*READY2*'
          zpty -n -w z "$1"$'\\t\\x18'
          zpty -r -m z said '*<<*>>*'
          print -r -- "\${\${said##*<<}%%>>*}"
          zpty -d z
        }
        ${typedInShell.map((line) => `try '${line}'`).join('\n')}
      `;
      const lines = typedInShell.map((line, at) => line.replace(/\S+$/, String(completedInShell[at])));
      const seen = await inShell('zsh', ['-f'], script);
      expect(seen.map((line) => line.trimEnd())).toEqual(lines);
    });
  });
});

/** As one word of a shell. */
const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;
