import { mkdtempDisposableSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { runCommand } from '../../server/test/support/command.ts';

const result = (noticed: readonly string[], missed: readonly string[]) =>
  JSON.stringify({
    bugs: [...noticed.map((id) => ({ id, noticed: true })), ...missed.map((id) => ({ id, noticed: false }))],
  });

it('builds one sheet from the results of a class', async () => {
  using folder = mkdtempDisposableSync(join(tmpdir(), 'petstore-class-'));
  const file = (name: string) => join(folder.path, name);
  const report = () => runCommand(['class', 'report', folder.path, '--html', file('sheet.html')]);
  expect(await report()).toMatchObject({ code: 2, stderr: `petstore: no .json file in ${folder.path}\n` });

  writeFileSync(file('ann.json'), result(['list-is-empty', 'truncated-key-works'], ['no-key-is-needed']));
  writeFileSync(file('<b>ob.json'), result(['list-is-empty'], ['truncated-key-works', 'no-key-is-needed']));
  writeFileSync(file('cid.json'), result(['list-is-empty'], ['truncated-key-works']));
  // check-suite prints nothing if it exits with 3.
  writeFileSync(file('eve.json'), '');
  const { code, stdout } = await report();
  expect([code, stdout.trimEnd().split('\n')]).toEqual([
    0,
    [
      '3 suites, 3 bugs',
      '<b>ob: 1 of 3',
      'ann: 2 of 3',
      'cid: 1 of 2',
      'eve: no result: the suite failed against the correct service, or was interrupted',
      'Noticed by no suite: 20',
      'Discuss next: 59',
    ],
  ]);
  const page = readFileSync(file('sheet.html'), 'utf8');
  expect(page).toContain('&lt;b&gt;ob<br>1 of 3');
  expect(page).toContain('<h2>No result</h2><p>eve: ');
  expect(page).not.toMatch(/<b>|src=|<script/);

  writeFileSync(file('dan.json'), '{"bugs":[{"id":"no-such-bug"}]}');
  expect((await report()).stderr).toContain('has a bug that this version does not know');
  writeFileSync(file('dan.json'), '[]');
  expect(await report()).toMatchObject({ code: 2, stdout: '' });
});
