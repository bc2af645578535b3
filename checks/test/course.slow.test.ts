import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempDisposableSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { spawnProgram } from '../../server/test/support/program.ts';

const course = new URL('../../docs/course/', import.meta.url);
const helpers = fileURLToPath(new URL('../../examples/course', import.meta.url));
const lessons = readdirSync(course).filter((file) => /^\d\d-/.test(file));

/** Which languages this machine has. Java's files are compiled together, once per lesson. */
const languages = [
  { fence: 'python', tool: 'python3' },
  { fence: 'javascript', tool: process.execPath },
  { fence: 'java', tool: 'javac' },
].filter(({ tool }) => spawnSync(tool, ['--version']).status === 0);

describe.for(lessons)('%s', (lesson) => {
  const text = readFileSync(new URL(lesson, course), 'utf8');
  const [, only = ''] = /check-suite --only (\S+) /.exec(text) ?? [];

  it.for(languages)('is solved by its $fence solution', async ({ fence, tool }) => {
    const pattern = new RegExp(`<summary>\\w+: (\\S+)</summary>\\n+\`\`\`${fence}\\n(.*?)\`\`\``, 's');
    const [, file = '', code = ''] = pattern.exec(text) ?? [];
    using folder = mkdtempDisposableSync(join(tmpdir(), 'petstore-course-'));
    cpSync(helpers, folder.path, { recursive: true });
    writeFileSync(join(folder.path, file), code);
    let command = [tool, join(folder.path, file)];
    if (fence === 'java') {
      const sources = ['Store.java', file].map((name) => join(folder.path, name));
      expect(spawnSync(tool, sources).stderr.toString()).toBe('');
      command = ['java', '-cp', folder.path, file.replace('.java', '')];
    }
    const args = ['check-suite', '--only', only, '--timeout', '120', '--', ...command];
    expect(await spawnProgram(args).ended).toMatchObject({ code: 0 });
  });
});
