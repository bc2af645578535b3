import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { temporaryFolder } from '../../server/test/support/engines.ts';
import { bundle, inPackage } from '../src/bundle.ts';

it('a bundle keeps license comments only: they cover files that a package copied from another one', async () => {
  using folder = temporaryFolder();
  const source = join(folder.path, 'source.js');
  writeFileSync(
    source,
    '/*! copied, MIT */\nexport const a = 1;\n/** Documents it. */\nexport const b = "é";\n',
  );
  await bundle({ bundled: source }, inPackage, { dir: folder.path });
  const text = readFileSync(join(folder.path, 'bundled.js'), 'utf8');
  expect(text).toContain('copied, MIT');
  expect(text).not.toContain('Documents it.');
  expect(text).toMatch(/^\p{ASCII}*$/u);
});
