import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { generateWithHeyApi, heyApiPlugins, npmTargets } from '../generators/npm-targets.ts';
import { judge, openStores } from '../generators/scenario.ts';
import { openFolder, run } from '../generators/target.ts';

let stores: Awaited<ReturnType<typeof openStores>>;
beforeAll(async () => {
  stores = await openStores();
});
afterAll(() => stores[Symbol.asyncDispose]());

describe('a generated client', () => {
  it.each(npmTargets)('by $name compiles and works; its IDs are numbers', async (target) => {
    using place = openFolder();
    await target.prepare(place.folder);
    for (const command of target.build)
      expect(await run(command, place.folder).catch(({ stdout }) => stdout)).toBe('');
    await using fresh = await openStores();
    const printed = await run(target.run ?? ['false'], place.folder, fresh.env);
    expect(judge(printed)).toEqual({ wrong: [], exact: false });
  });

  it('by @hey-api/openapi-ts with bigints has wrong IDs: it converts from numbers', async () => {
    using place = openFolder();
    const transforming = heyApiPlugins.map((name) =>
      name === '@hey-api/sdk' ? { name, transformer: true } : name,
    );
    await generateWithHeyApi(place.folder, [
      ...transforming,
      { name: '@hey-api/transformers', bigInt: true },
    ]);
    const { LARGE_URL, LARGE_KEY, LARGE_ID } = stores.env;
    writeFileSync(
      join(place.folder, 'run.ts'),
      `import { createClient } from './generated/client/index.ts';
import { getOrder } from './generated/sdk.gen.ts';
const client = createClient({ baseUrl: '${LARGE_URL}', headers: { authorization: 'Bearer ${LARGE_KEY}' } });
const { data } = await getOrder({ client, path: { orderId: ${LARGE_ID}n }, throwOnError: true });
console.log(data.id);
`,
    );
    expect(await run([process.execPath, 'run.ts'], place.folder)).toBe('9007199254740992n\n');
  });
});
