import { once } from 'node:events';
import { mkdtempDisposableSync, readFileSync } from 'node:fs';
import { get } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { runCommand } from '../../server/test/support/command.ts';
import { everyCase } from '../../server/test/support/effort.ts';
import { startProgram } from '../../server/test/support/program.ts';
import { slowIt } from '../../server/test/support/slow-it.ts';
import { catalogue } from '../src/bugs/catalogue.ts';

const shallow = [process.execPath, fileURLToPath(new URL('./suites/shallow.js', import.meta.url))];
const only = 'list-is-empty,cancel-twice-is-204';
const checkSuite = (...args: string[]) => runCommand(['check-suite', ...args]);
const folder = () => mkdtempDisposableSync(join(tmpdir(), 'petstore-check-suite-'));

describe.concurrent('check-suite', () => {
  it('reports which bugs a suite notices and which it misses', async () => {
    using dir = folder();
    const [junit, html] = [join(dir.path, 'a.xml'), join(dir.path, 'a.html')];
    const files = ['--junit', junit, '--html', html];
    const { code, stdout, stderr } = await checkSuite('--json', '--only', only, ...files, '--', ...shallow);
    const reported = (name: string, verdict: string) => {
      const { id, level, operation, summary } = catalogue.find(
        ({ id }) => id === name,
      ) as (typeof catalogue)[0];
      return { id, level, operation, summary, topic: 'function', noticed: verdict === 'noticed', verdict };
    };
    expect(code).toBe(1);
    expect(JSON.parse(stdout)).toEqual({
      bugs: [reported('list-is-empty', 'noticed'), reported('cancel-twice-is-204', 'not met')],
      noticed: 1,
      of: 2,
    });
    expect(stderr.trimEnd().split('\n')).toEqual([
      expect.stringMatching(
        /^The suite passed twice against the correct service. Testing it against 2 bugs, about \d+ s\.$/,
      ),
      'noticed     1  easy    v1.listOrders',
      'not met    13  easy    v1.cancelOrder  Hint: Do it again.',
      'Confirming 1 noticed bug with repeated runs.',
      'Not met: no request triggered the bug. Add a test.',
      'Fix first: bug 13. Do it again.',
      '1 of 2 bugs noticed',
    ]);
    expect(readFileSync(junit, 'utf8')).toContain('<testsuites tests="2" failures="1" skipped="0">');
    const page = readFileSync(html, 'utf8');
    expect(page).toContain('1 of 2 bugs noticed');
    expect(page).toContain('GET /v1/store/orders HTTP/1.1');
    // A report that a class may see has no names, and no page has a key or needs another file.
    expect(page + readFileSync(junit, 'utf8')).not.toMatch(/list-is-empty|204|src=|href="[^#]|pst_test_/);
  });

  /** Calls the operation, and passes twice, as against the right service. */
  const resultOf = async (then: string, ...flags: string[]) => {
    using dir = folder();
    const suite = `
      curl -s -X DELETE "$PETSTORE_URL/store/orders/2" -H "Authorization: Bearer $PETSTORE_KEY"
      for run in 1 2; do mkdir '${dir.path}'/$run 2>/dev/null && exit; done; ${then}`;
    const args = ['--json', ...flags, '--only', 'cancel-twice-is-204', '--jobs', '1'];
    const { code, stdout, stderr } = await checkSuite(...args, '--', 'sh', '-c', suite);
    expect([code, JSON.parse(stdout)]).toMatchObject([1, { noticed: 0, bugs: [{ noticed: false }] }]);
    return { verdict: JSON.parse(stdout).bugs[0].verdict, progress: stderr };
  };

  it('does not count a failure without meeting the bug', async () => {
    expect(await resultOf('echo broken; false')).toEqual({
      verdict: 'failed without meeting it',
      progress: expect.stringContaining('though every response was correct\n    broken\n'),
    });
  });

  it('counts the exit code of a suite, shows the tests that failed behind a 0, and names bugs on request', async () => {
    const suite = `
      curl -s "$PETSTORE_URL/store/orders" -H "Authorization: Bearer $PETSTORE_KEY" | grep -q '"id":1,' ||
        echo 'not ok 1 - lists order 1'`;
    const { code, stdout } = await checkSuite('--reveal', '--only', '1', '--', 'sh', '-c', suite);
    expect([code, stdout]).toEqual([
      1,
      expect.stringMatching(/^Missed, though tests failed: .*exited with 0/m),
    ]);
    expect(stdout).toMatch(
      /^missed +1 +easy +v1.listOrders +list-is-empty: The list of orders is always empty\./m,
    );
    expect(stdout).toContain('triggered once, exited with code 0; failed: lists order 1');
  });

  slowIt('does not count a timeout', async () => {
    expect(await resultOf('sleep 1000', '--timeout', '20')).toMatchObject({ verdict: 'timed out' });
  });

  it('runs a suite only against bugs it can reach', async () => {
    using dir = folder();
    const file = join(dir.path, 'runs');
    const { code, stdout } = await checkSuite('--only', only, '--', 'sh', '-c', `echo run >> ${file}`);
    expect([code, readFileSync(file, 'utf8')]).toEqual([1, 'run\nrun\n']);
    expect(stdout).toContain('\nNever called: v1.listOrders, v1.cancelOrder.\n');
  });

  it('exits with 3 and prints the output if the suite fails against the correct service', async () => {
    const { code, stdout, stderr } = await checkSuite('--', 'sh', '-c', 'echo one test failed; exit 4');
    expect([code, stdout, stderr]).toEqual([
      3,
      '',
      'one test failed\npetstore: the suite fails against the correct service: it exited with code 4\n',
    ]);
    expect(await checkSuite('--', 'sh', '-c', 'no-such-suite')).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/^petstore: cannot run sh -c no-such-suite: .*not found/),
    });
    using dir = folder();
    const [junit, html] = [join(dir.path, 'a.xml'), join(dir.path, 'a.html')];
    const files = ['--json', '--junit', junit, '--html', html];
    const json = await checkSuite(...files, '--', 'sh', '-c', 'echo one test failed; exit 4');
    const message = 'one test failed\nthe suite fails against the correct service: it exited with code 4';
    expect([json.code, json.stdout, JSON.parse(json.stderr)]).toEqual([
      3,
      '',
      { code: 'suite_failed', message, exitCode: 3 },
    ]);
    expect(readFileSync(junit, 'utf8')).toContain('<testsuites tests="1" failures="1" skipped="0">');
    expect(readFileSync(html, 'utf8')).toContain('one test failed');
  });

  it('exits with 3 if the suite is flaky', async () => {
    using dir = folder();
    // Passes the first time alone.
    const suite = `mkdir ${join(dir.path, 'seen')} 2>/dev/null && exit
      echo '<testcase name="a &amp; b"><failure/></testcase>' > "$PETSTORE_JUNIT"; exit 1`;
    const { code, stderr } = await checkSuite('--', 'sh', '-c', suite);
    expect([code, stderr]).toEqual([
      3,
      expect.stringMatching(
        /^petstore: the suite is flaky: one of two runs failed against the correct service: it exited with code 1 \(failed test: a & b\)\. Most likely, a test depends on /,
      ),
    ]);
  });

  it('exits with 3 if a failure against a bug does not repeat', async () => {
    using dir = folder();
    // Meets the bug in each run, looks at nothing, and fails in the third run alone.
    const suite = `
      curl -s "$PETSTORE_URL/store/orders" -H "Authorization: Bearer $PETSTORE_KEY" > /dev/null
      for run in 1 2 3; do mkdir ${dir.path}/$run 2>/dev/null && break; run=4; done
      test $run != 3 || { echo 'not ok 7 - wavers # later'; exit 1; }`;
    const args = ['--json', '--only', 'list-is-empty', '--jobs', '1', '--', 'sh', '-c', suite];
    const { code, stdout, stderr } = await checkSuite(...args);
    expect([code, stdout]).toEqual([3, '']);
    expect(JSON.parse(stderr.trimEnd().split('\n').at(-1) ?? '')).toMatchObject({
      code: 'suite_not_steady',
      message: expect.stringMatching(/one run failed and one passed \(failed test: wavers # later\)/),
      exitCode: 3,
    });
  });

  slowIt('exits with 3 if a suite starts failing regardless of the service', async () => {
    using dir = folder();
    // Meets the bug in each run, looks at nothing, and fails from the third run on.
    const suite = `
      curl -s "$PETSTORE_URL/store/orders" -H "Authorization: Bearer $PETSTORE_KEY" > /dev/null
      for run in 1 2; do mkdir ${dir.path}/$run 2>/dev/null && exit; done; false`;
    const { code, stderr } = await checkSuite('--only', 'list-is-empty', '--', 'sh', '-c', suite);
    expect([code, stderr]).toEqual([
      3,
      expect.stringContaining('against the correct service, it passed twice and then exited with code 1'),
    ]);
  });

  it.runIf(everyCase).for([
    ['fails in four runs in a row', '3|4|5|6'],
    ['fails in every other run', '3|5|7|9|11'],
  ])('gives no credit to a suite that counts its runs, and %s', async ([, failing]) => {
    using dir = folder();
    // Meets the bug in each run, and looks at nothing.
    const suite = `
      curl -s "$PETSTORE_URL/store/orders" -H "Authorization: Bearer $PETSTORE_KEY" > /dev/null
      run=1; until mkdir ${dir.path}/$run 2>/dev/null; do run=$((run + 1)); done
      case $run in ${failing}) exit 1 ;; esac`;
    const args = ['--only', 'list-is-empty', '--jobs', '1', '--', 'sh', '-c', suite];
    expect(await checkSuite(...args)).toMatchObject({
      code: 3,
      stderr: expect.stringContaining('the suite is flaky: '),
    });
  });

  it('lists the bugs by number, with names on request', async () => {
    const { stdout } = await checkSuite('--list', '--json');
    expect(JSON.parse(stdout)).toEqual(
      catalogue.map(({ createHooks: _, hint: __, ...bug }) => ({
        ...bug,
        topic: bug.owasp ? 'security' : 'function',
      })),
    );
    expect(stdout.split('\n')[1]).toMatch(/^\{"id":"list-is-empty",.*\},$/);
    const lines = (await checkSuite('--list')).stdout.trimEnd().split('\n');
    expect(lines[0]).toBe(' 1  easy    v1.listOrders');
    expect(lines).toHaveLength(catalogue.length);
  });

  it('selects bugs by topic and draws random ones from a seed', async () => {
    const list = async (...args: string[]) =>
      JSON.parse((await checkSuite('--list', '--json', ...args)).stdout) as { id: string; owasp?: string }[];
    const security = await list('--topic', 'security');
    expect(security).toEqual((await list()).filter(({ owasp }) => owasp));
    expect(new Set(security.map(({ owasp }) => owasp)).size).toBe(10);
    const drawn = await list('--draw', 'autumn', '--count', '5');
    expect(drawn).toHaveLength(5);
    expect(await list('--draw', 'autumn', '--count', '5')).toEqual(drawn);
    expect(await list('--draw', 'spring', '--count', '5')).not.toEqual(drawn);
    const both = await list('--topic', 'security', '--draw', 'autumn');
    expect([both.length, both.every(({ owasp }) => owasp)]).toEqual([12, true]);
  });

  it('has at least 40 uniquely named bugs, at least half of them in version 2', () => {
    expect(new Set(catalogue.map(({ id }) => id)).size).toBe(catalogue.length);
    for (const { id } of catalogue) expect(id).toMatch(/^[a-z0-9]+(-[a-z0-9]+)*$/);
    expect(catalogue.length).toBeGreaterThanOrEqual(40);
    const inV2 = catalogue.filter(({ operation }) => operation.startsWith('v2.'));
    expect(inV2.length).toBeGreaterThanOrEqual(catalogue.length / 2);
  });

  it('has every bug that the exercises reference by number', () => {
    const read = (page: string) => readFileSync(new URL(page, import.meta.url), 'utf8');
    const named = [...read('../README.md').matchAll(/(\d+) `([a-z0-9]+(?:-[a-z0-9]+)+)`/g)];
    expect(named.length).toBeGreaterThan(20);
    for (const [, number, id] of named) expect(catalogue[Number(number) - 1]?.id).toBe(id);
    const count = (what: string) =>
      catalogue.filter(({ level, operation }) => `${level} ${operation}`.includes(what)).length;
    expect(read('../../docs/TEACHING.md')).toContain(
      `There are ${catalogue.length} bugs: ${count('v1.')} in version 1, ${count('v2.')} in version 2; ` +
        `${count('easy')} easy, ${count('medium')} medium, ${count('hard')} hard.`,
    );
  });

  it('serves one bug for manual testing, on staging only', async () => {
    using dir = folder();
    const flags = ['--deployment', 'staging', '--port', '0', '--data', dir.path];
    await using program = await startProgram([...flags, '--bug', 'cancel-twice-is-204']);
    const { key, request, output } = program;
    expect(output.stderr).toBe('petstore: serving planted bug cancel-twice-is-204 in v1.cancelOrder\n');
    for (let time = 1; time <= 2; time++)
      expect(await request('DELETE /v1/store/orders/2', { key })).toMatchObject({ status: 204 });
    expect(await request('DELETE /v1/store/orders/99', { key })).toMatchObject({ status: 404 });

    for (const [args, why] of [
      [['--bug', '13'], '--bug requires --deployment staging'],
      [['--bug', 'x', ...flags], "unknown bug 'x'; run petstore check-suite --list"],
    ] as const)
      expect(await runCommand(['serve', ...args])).toMatchObject({ code: 2, stderr: `petstore: ${why}\n` });
  });

  it('serves one bug to a class, with the address each client used', async () => {
    using dir = folder();
    const flags = ['--deployment', 'staging', '--port', '0', '--data', dir.path, '--log-addresses'];
    const wrong = ['--bug', 'cancel-twice-is-204', '--host', '0.0.0.0'];
    await using program = await startProgram([...flags, ...wrong]);
    const host = `192.0.2.7:${program.port}`;
    const { bytes } = await program.request('GET /llms.txt', { headers: { host } });
    expect(bytes.toString()).toContain(`http://${host}/v1`);
    expect(bytes.toString()).not.toContain('127.0.0.1');
    const signUp = {
      headers: { host, origin: `http://${host}`, 'content-type': 'application/json' },
      body: '{"email":"pupil@school.example","password":"a long enough password"}',
    };
    expect((await program.request('POST /console/api/sign-up', signUp)).status).toBeLessThan(300);
    const place = { host: '127.0.0.1', port: program.port, path: '/v1/pets', localAddress: '127.0.0.2' };
    await once(
      get(place).on('error', () => {}),
      'response',
    );
    await program.logged('127.0.0.2');
  });

  it('explains command-line errors', async () => {
    for (const [args, why] of [
      [[], 'check-suite requires a command: petstore check-suite -- COMMAND…'],
      [['--count', '5', '--', 'true'], '--count requires --draw'],
      [['--only', '1', '--draw', 'a', '--', 'true'], 'use either --only or --draw'],
      [['--only', 'x', '--', 'true'], "unknown bug 'x'; run petstore check-suite --list"],
      [['--timeout', '0', '--', 'true'], "invalid --timeout '0': must be a whole number from 1 to 99999"],
      [
        ['--junit', 'no/such/a.xml', '--', 'true'],
        "invalid --junit 'no/such/a.xml': ENOENT: no such file or directory, access 'no/such/.'",
      ],
      [['--junit', '.', '--', 'true'], "invalid --junit '.': is a directory"],
      [['--', '/no/such/suite'], 'cannot run /no/such/suite: command not found'],
    ] as const)
      expect(await checkSuite(...args)).toMatchObject({ code: 2, stdout: '', stderr: `petstore: ${why}\n` });
  });
});
