import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { generateByHeyApi, heyApiPlugins, npmTargets } from '../generators/npm-targets.ts';
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
    await generateByHeyApi(place.folder, [...transforming, { name: '@hey-api/transformers', bigInt: true }]);
    const { GREAT_URL, GREAT_KEY, GREAT_ID } = stores.env;
    writeFileSync(
      join(place.folder, 'run.ts'),
      `import { createClient } from './made/client/index.ts';
import { getOrder } from './made/sdk.gen.ts';
const client = createClient({ baseUrl: '${GREAT_URL}', headers: { authorization: 'Bearer ${GREAT_KEY}' } });
const { data } = await getOrder({ client, path: { orderId: ${GREAT_ID}n }, throwOnError: true });
console.log(data.id);
`,
    );
    expect(await run([process.execPath, 'run.ts'], place.folder)).toBe('9007199254740992n\n');
  });
});
