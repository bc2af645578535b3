import { mkdtempDisposableSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { failedTestsOf } from '../src/suite/failed-tests.ts';

const junit = `<testsuites><testsuite name="s">
  <testcase classname="a" name="passes" time="1"/>
  <testcase name="is &lt;wrong&gt; &#8211; twice"><failure message="1 > 2">text</failure></testcase>
  <testcase name='skipped'><skipped/></testcase>
  <testcase name="crashes"><error message="x"/></testcase>
</testsuite></testsuites>`;

it.for([
  ['JUnit', junit, ['is <wrong> – twice', 'crashes']],
  [
    'TAP',
    'TAP version 13\n    not ok 1 - inner\nnot ok 2 - outer # time=3\nok 3 - a\nnot ok 4 - b # TODO',
    ['inner', 'outer # time=3'],
  ],
  [
    'pytest',
    'FAILED tests/a.py::test_b[1] - assert 1\nERROR tests/c.py::test_d\n2 failed',
    ['tests/a.py::test_b[1]', 'tests/c.py::test_d'],
  ],
  ['no report', 'all is well', []],
] as const)('reads the failed tests of %s', ([, output, names]) => {
  expect(failedTestsOf('/no/such/file', output)).toEqual(names);
});

it('prefers the report file the suite wrote', () => {
  using folder = mkdtempDisposableSync(join(tmpdir(), 'petstore-junit-'));
  const file = join(folder.path, 'junit.xml');
  writeFileSync(file, junit);
  expect(failedTestsOf(file, 'not ok 1 - other')).toEqual(['is <wrong> – twice', 'crashes']);
});
