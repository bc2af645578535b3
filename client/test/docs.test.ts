import { execFile } from 'node:child_process';
import { readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sqlite, temporaryFolder } from '../../server/test/support/engines.ts';
import { useService } from '../../server/test/support/service.ts';

const run = promisify(execFile);
const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));
const text = readFileSync(new URL('../../docs/CLIENT.md', import.meta.url), 'utf8');
const [preamble, ...examples] = [...text.matchAll(/^```ts(.*)\n([\s\S]*?)^```/gm)].map(
  ([, mark, code], at) => ({
    file: `example-${at}.ts`,
    isExperimental: mark?.trim() === 'experimental',
    code: (code ?? '').replaceAll("'@petstore/client'", `'${here('../src/index.ts')}'`),
    expected: [...(code ?? '').matchAll(/\/\/ → (.*)/g)].map(([, line]) => line),
  }),
);

describe('the examples in docs/CLIENT.md', () => {
  const service = useService(sqlite, { deployment: 'staging' });
  const { path: folder, [Symbol.dispose]: remove } = temporaryFolder();
  afterAll(remove);
  beforeAll(() => {
    // The compiler finds the same types there as next to the sources.
    writeFileSync(`${folder}/package.json`, '{"type":"module"}');
    symlinkSync(here('../../node_modules'), `${folder}/node_modules`, 'junction');
    for (const { file, code } of examples)
      writeFileSync(`${folder}/${file}`, `${preamble?.code}${code}export {};\n`);
    const settings = { extends: here('../../tsconfig.json'), include: ['*.ts'] };
    writeFileSync(`${folder}/tsconfig.json`, JSON.stringify(settings));
  });

  it('compile', async () => {
    const tsc = here('../../node_modules/typescript/bin/tsc');
    const { stdout } = await run(process.execPath, [tsc, '--project', folder]).catch((error) => error);
    expect(stdout).toBe('');
  });

  it.for(examples)(
    '$file prints its documented output',
    async ({ file, expected, isExperimental }, { skip }) => {
      const { key } = await service().openStore();
      const env = { ...process.env, PETSTORE_URL: service().origin, PETSTORE_KEY: key };
      if (isExperimental) {
        const { status } = await service().request('GET /v2/sandbox/faults', { key });
        if (status === 404) return skip('the service has no events and no sandbox');
        // Creates something for an event to report.
        const body = '{"petId":1,"quantity":1}';
        const headers = { 'content-type': 'application/json' };
        await service().request('POST /v2/store/orders', { key, headers, body });
      }
      const { stdout } = await run(process.execPath, [`${folder}/${file}`], { env });
      expect(stdout.split('\n').map((line) => line.trim())).toEqual([...expected, '']);
    },
  );
});
