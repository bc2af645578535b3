import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempDisposableSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { runCommand } from '../../server/test/support/command.ts';
import { isLanguageTested } from '../../server/test/support/effort.ts';
import type { templates } from '../src/client/templates/all.ts';
import { problemsOf, TIMEOUT_MS } from './support/problems-of.ts';

type Language = keyof typeof templates;

/** How each template is built, if necessary, and run. */
const ways: Record<Language, { file: string; make?: readonly string[]; run: readonly string[] }> = {
  python: { file: 'client.py', run: ['python3', 'client.py'] },
  javascript: { file: 'client.mjs', run: [process.execPath, 'client.mjs'] },
  java: {
    file: 'Client.java',
    make: ['javac', '-d', '.', 'Client.java'],
    run: ['java', '-cp', '.', 'Client'],
  },
  go: { file: 'client.go', make: ['go', 'build', '-o', 'client', 'client.go'], run: ['./client'] },
};

const tried = (Object.keys(ways) as Language[]).filter(isLanguageTested);

describe.concurrent('a starter client', () => {
  it.for(tried)('passes every question: %s', { timeout: TIMEOUT_MS }, async (language, { skip }) => {
    const { file, make, run } = ways[language];
    const [compiler = ''] = make ?? run;
    if (spawnSync(compiler, ['--version']).error) return skip(`there is no ${compiler}`);
    using folder = mkdtempDisposableSync(join(tmpdir(), 'petstore-template-'));
    const { stdout } = await runCommand(['check-client', '--template', language]);
    writeFileSync(join(folder.path, file), stdout);
    const [maker, ...args] = make ?? [];
    if (maker) execFileSync(maker, args, { cwd: folder.path });
    const inFolder = `cd '${folder.path}' && exec ${run.join(' ')}`;
    expect(await problemsOf(['sh', '-c', inFolder])).toEqual({});
  });
});
