import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sqlite } from '../../server/test/support/engines.ts';
import { useService } from '../../server/test/support/service.ts';

const run = promisify(execFile);
const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));
const document = here('../v2.yaml');
const tsc = here('../../node_modules/typescript/bin/tsc');
const { resolve } = createRequire(here('../generators/package.json'));
const great = 2n ** 53n + 1n;

/** What every generated client is asked to do; each in its own words. */
const program = (calls: string) => `${calls}
const seen: number[] = [];
let cursor: string | undefined;
do {
  const page = await list(cursor);
  seen.push(...page.data.map(({ id }) => Number(id)));
  cursor = page.nextCursor ?? undefined;
} while (cursor);
const placed = await place();
const shipped = await ship(placed.id);
const refused = await ship(placed.id);
const { id } = await place();
const cancelled = [await cancel(id), (await read(id)).status];
const changed = await stock(1, 40);
const two = await inStates(['pending', 'shipped']);
const pet = await great();
const text = await greatAsText();
console.log(JSON.stringify({
  pages: seen.length,
  placed: placed.status,
  shipped: shipped.data?.status,
  refused: [refused.status, refused.error?.code],
  cancelled,
  stock: changed.stock,
  states: [...new Set(two.data.map(({ status }) => status))].sort(),
  exact: String(pet.id) === '${great}',
  exactAsText: text.includes('${great}'),
}));
`;

const setting = `const baseUrl = process.env.BASE ?? '';
const headers = { authorization: \`Bearer \${process.env.KEY}\` };
`;

const generators = [
  {
    name: 'openapi-typescript with openapi-fetch',
    async generate(folder: string) {
      const cli = join(dirname(resolve('openapi-typescript')), '../bin/cli.js');
      await run(process.execPath, [cli, document, '--output', join(folder, 'schema.ts')]);
    },
    code: program(`import createClient from 'openapi-fetch';
import type { paths } from './schema.ts';
${setting}
const client = createClient<paths>({ baseUrl, headers });
const some = <T>(value: T | undefined): T => {
  if (value === undefined) throw new Error('there is no answer');
  return value;
};
const list = async (cursor?: string) =>
  some((await client.GET('/store/orders', { params: { query: { limit: 15, ...(cursor ? { cursor } : {}) } } })).data);
const place = async () => some((await client.POST('/store/orders', { body: { petId: 1, quantity: 1 } })).data);
const ship = async (orderId: number) => {
  const { data, error, response } = await client.POST('/store/orders/{orderId}/ship', { params: { path: { orderId } } });
  return { data, error, status: response.status };
};
const cancel = async (orderId: number) =>
  (await client.DELETE('/store/orders/{orderId}', { params: { path: { orderId } } })).response.status;
const read = async (orderId: number) =>
  some((await client.GET('/store/orders/{orderId}', { params: { path: { orderId } } })).data);
const stock = async (petId: number, stock: number) =>
  some((await client.PATCH('/pets/{petId}', { params: { path: { petId } }, body: { stock } })).data);
const inStates = async (status: ('pending' | 'shipped')[]) =>
  some((await client.GET('/store/orders', { params: { query: { status } } })).data);
const petId = '${great}' as unknown as number;
const great = async () => some((await client.GET('/pets/{petId}', { params: { path: { petId } } })).data);
const greatAsText = async () =>
  some((await client.GET('/pets/{petId}', { params: { path: { petId } }, parseAs: 'text' })).data);
`),
  },
  {
    name: '@hey-api/openapi-ts',
    async generate(folder: string) {
      const script = join(folder, 'generate.mjs');
      const options = {
        input: document,
        output: { path: join(folder, 'made'), importFileExtension: '.ts', tsConfigPath: null },
        plugins: ['@hey-api/client-fetch', '@hey-api/typescript', '@hey-api/sdk'],
        logs: { level: 'silent' },
      };
      writeFileSync(
        script,
        `import { createClient } from '@hey-api/openapi-ts';\nawait createClient(${JSON.stringify(options)});\n`,
      );
      await run(process.execPath, [script]);
    },
    code: program(`import { client } from './made/client.gen.ts';
import { cancelOrder, changePet, getOrder, getPet, listOrders, placeOrder, shipOrder } from './made/sdk.gen.ts';
${setting}
client.setConfig({ baseUrl, headers });
const list = async (cursor?: string) =>
  (await listOrders({ query: { limit: 15, ...(cursor ? { cursor } : {}) }, throwOnError: true })).data;
const place = async () => (await placeOrder({ body: { petId: 1, quantity: 1 }, throwOnError: true })).data;
const ship = async (orderId: number) => {
  const { data, error, response } = await shipOrder({ path: { orderId } });
  return { data, error, status: response?.status };
};
const cancel = async (orderId: number) => (await cancelOrder({ path: { orderId } })).response?.status;
const read = async (orderId: number) => (await getOrder({ path: { orderId }, throwOnError: true })).data;
const stock = async (petId: number, stock: number) =>
  (await changePet({ path: { petId }, body: { stock }, throwOnError: true })).data;
const inStates = async (status: ('pending' | 'shipped')[]) =>
  (await listOrders({ query: { status }, throwOnError: true })).data;
const petId = '${great}' as unknown as number;
const great = async () => (await getPet({ path: { petId }, throwOnError: true })).data;
const greatAsText = async () =>
  String((await getPet({ path: { petId }, parseAs: 'text', throwOnError: true })).data);
`),
  },
  {
    name: 'orval',
    async generate(folder: string) {
      const script = join(folder, 'generate.mjs');
      const options = {
        input: { target: document },
        output: { target: join(folder, 'made.ts'), client: 'fetch', mode: 'single' },
        logLevel: 'silent',
      };
      writeFileSync(
        script,
        `import { generate } from 'orval';\nawait generate(${JSON.stringify(options)}, ${JSON.stringify(folder)});\n`,
      );
      await run(process.execPath, [script]);
    },
    code: program(`import { cancelOrder, changePet, getGetPetUrl, getOrder, getPet, listOrders, placeOrder, shipOrder } from './made.ts';
${setting}
const { fetch: send } = globalThis;
// What it generates asks for paths alone.
globalThis.fetch = (path, init) => send(baseUrl + path, init);
const list = async (cursor?: string) => {
  const { data, status } = await listOrders({ limit: 15, ...(cursor ? { cursor } : {}) }, { headers });
  if (status !== 200) throw new Error('there is no answer');
  return data;
};
const place = async () => {
  const { data, status } = await placeOrder({ petId: 1, quantity: 1 }, { headers });
  if (status !== 201) throw new Error('there is no answer');
  return data;
};
const ship = async (orderId: number) => {
  const answer = await shipOrder(orderId, { headers });
  return answer.status === 200
    ? { data: answer.data, error: undefined, status: answer.status }
    : { data: undefined, error: answer.data, status: answer.status };
};
const cancel = async (orderId: number) => (await cancelOrder(orderId, { headers })).status;
const read = async (orderId: number) => {
  const { data, status } = await getOrder(orderId, { headers });
  if (status !== 200) throw new Error('there is no answer');
  return data;
};
const stock = async (petId: number, stock: number) => {
  const { data, status } = await changePet(petId, { stock }, { headers });
  if (status !== 200) throw new Error('there is no answer');
  return data;
};
const inStates = async (status: ('pending' | 'shipped')[]) => {
  const answer = await listOrders({ status }, { headers });
  if (answer.status !== 200) throw new Error('there is no answer');
  return answer.data;
};
const petId = '${great}' as unknown as number;
const great = async () => {
  const { data, status } = await getPet(petId, { headers });
  if (status !== 200) throw new Error('there is no answer');
  return data;
};
const greatAsText = async () => (await fetch(getGetPetUrl(petId), { headers })).text();
`),
  },
];

describe.each(generators)('a client made by $name', ({ generate, code }) => {
  const service = useService(sqlite);
  let folder = '';
  beforeAll(async () => {
    // Beside the generators, where their packages are found.
    folder = mkdtempSync(here('../generators/made-'));
    await generate(folder);
    writeFileSync(join(folder, 'run.ts'), code);
    const settings = {
      extends: '../../../tsconfig.json',
      // The strictness that is ours alone does not bind what others generate.
      compilerOptions: {
        exactOptionalPropertyTypes: false,
        noUncheckedIndexedAccess: false,
        lib: ['esnext', 'dom'],
      },
      include: ['**/*.ts'],
    };
    writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(settings));
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it('compiles', async () => {
    const { stdout } = await run(process.execPath, [tsc, '--project', folder]).catch((error) => error);
    expect(stdout).toBe('');
  });

  it('walks all pages, places, ships, sees a refusal; its ids are numbers, the text of the answer is exact', async () => {
    const { key, storeId } = await service().openStore();
    const columns = 'store_id, id, name, category, stock, revision';
    await service().database.exec(
      `INSERT INTO pets (${columns}) VALUES (${storeId}, ${great}, 'Rex', 'dog', 1, 1)`,
    );
    const env = { ...process.env, BASE: `${service().origin}/v2`, KEY: key };
    const { stdout } = await run(process.execPath, [join(folder, 'run.ts')], { env });
    expect(JSON.parse(stdout)).toEqual({
      pages: 40,
      placed: 'pending',
      shipped: 'shipped',
      refused: [409, 'invalid_transition'],
      cancelled: [204, 'cancelled'],
      stock: 40,
      states: ['pending', 'shipped'],
      exact: false,
      exactAsText: true,
    });
  });
});
