import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { questions } from '../../checks/src/client/questions/all.ts';
import { HANGING_SECONDS, hanging, NO_LIMIT } from '../../checks/test/support/problems-of.ts';
import { runCommand } from '../../server/test/support/command.ts';
import { temporaryFolder } from '../../server/test/support/engines.ts';

const tour = readFileSync(new URL('../../docs/TOUR.md', import.meta.url), 'utf8');
const [client = '', fix = '', suite = '', twice = '', code = ''] = [
  ...tour.matchAll(/^```js\n([\s\S]*?)^```/gm),
].map(([, block = '']) => block);

const patient = ['--timeout', String(NO_LIMIT)];

describe('docs/TOUR.md', () => {
  const { path: folder, [Symbol.dispose]: remove } = temporaryFolder();
  afterAll(remove);
  const save = (name: string, text: string) => {
    writeFileSync(join(folder, name), text);
    return join(folder, name);
  };

  async function check(command: string, flags: readonly string[], program: readonly string[]) {
    const args = [command, '--json', ...flags, '--', process.execPath, ...program];
    return JSON.parse((await runCommand(args)).stdout);
  }

  it('the first client fails the checks that the table lists, and passes the rest', async () => {
    const program = [save('client.mjs', client)];
    const ids = questions.map(({ id }) => id).filter((id) => !hanging.has(id));
    const ended = await check('check-client', [...patient, '--only', ids.join(',')], program);
    const limit = ['--timeout', String(HANGING_SECONDS)];
    const hung = await check('check-client', [...limit, '--only', [...hanging].join(',')], program);
    const results: Record<string, string>[] = [...ended.questions, ...hung.questions];
    const failed = results.flatMap(({ id = '', verdict }) => (verdict === 'failed' ? id : []));
    const listed = [...tour.matchAll(/^\| (`[a-z].*?) \|/gm)].flatMap(([, cell = '']) =>
      cell.match(/[\w-]+/g),
    );
    expect(failed.toSorted()).toEqual(listed.toSorted());
    expect(tour).toContain(`${ended.passed + hung.passed} of ${ended.of + hung.of} checks pass`);
  });

  it('the fixed client passes every check it supports', async () => {
    const [before, after] = [
      client.indexOf('async function call'),
      client.indexOf("if (PETSTORE_TASK === 'l"),
    ];
    const fixed = save('fixed.mjs', client.slice(0, before) + fix + client.slice(after));
    const { passed, of } = await check('check-client', patient, [fixed]);
    expect([passed, of]).toEqual([of, 29]);
    expect(tour).toContain(`all ${of} checks pass`);
    expect(tour).toContain(`passes all ${questions.length},`);
  });

  it('the suite notices one bug of three, and with two more lines all of them', async () => {
    const only = [...patient, '--only', '13,15,17'];
    const weak = save('weak.test.mjs', suite);
    expect((await check('check-suite', only, ['--test', weak])).noticed).toBe(1);
    const strong = suite
      .replace(/\.status, 204\);\n/, `$&${twice}`)
      .replace(/\.status, 409\);\n/, `$&${code}`);
    expect((await check('check-suite', only, ['--test', save('strong.test.mjs', strong)])).noticed).toBe(3);
  });
});
