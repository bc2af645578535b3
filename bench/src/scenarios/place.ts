import { atLeast, type Context, type Scenario } from '../bar.ts';
import { closedLoop, expectOnly } from '../load/closed-loop.ts';
import { requestBytes, send } from '../load/connection.ts';
import { folder, type Running, run } from '../processes.ts';
import { interleave, median, ratios } from '../statistics.ts';
import { programOf, startBareProgram } from '../subjects/bare.ts';
import { createKey, databaseFile, type Place, startPetstore } from '../subjects/petstore.ts';

const CLIENTS = 64;

/** Placements by 64 clients, each on disk before its 201. */
export const place: Scenario = {
  name: 'place',
  run: async (context) => [await onSqlite(context), ...(await onPostgres(context))],
};

async function onSqlite({ data: _, ...rounds }: Context) {
  const [petstore, key] = await startWithKey({ engine: 'sqlite', data: folder('place') });
  await using ours = petstore;
  const apart = { engine: 'sqlite', data: folder('bare-place') } as const;
  await createKey(apart);
  await using bare = await startBareProgram('place-server', databaseFile(apart));
  const rates = await interleave(rounds, {
    petstore: (seconds) => placements(ours, [key], seconds),
    bare: (seconds) => placements(bare, [key], seconds),
  });
  const figures = { petstore: median(rates.petstore), bare: median(rates.bare) };
  const what = 'placements in one store vs. node:http and the driver with group commit';
  return atLeast(0.4, what, ratios(rates.petstore, rates.bare), figures);
}

async function onPostgres({ data, ...rounds }: Context) {
  const postgres = await data.postgres();
  const place = { engine: 'postgres', url: await postgres.createDatabase('place') } as const;
  const [petstore, key] = await startWithKey(place);
  await using ours = petstore;
  const keys = await openStores(place.url, CLIENTS);
  for (const opened of keys) await fillShelf(ours, opened);
  const bare = await postgres.createDatabase('bare');
  await openStores(bare, CLIENTS);
  const one = await interleave(rounds, {
    petstore: (seconds) => placements(ours, [key], seconds),
    bare: (seconds) => bareRate(bare, 1, seconds),
  });
  const many = await interleave(rounds, {
    petstore: (seconds) => placements(ours, keys, seconds),
    bare: (seconds) => bareRate(bare, CLIENTS, seconds),
  });
  return [
    atLeast(1.5, 'placements in one store, PostgreSQL, vs. one commit each', ratios(one.petstore, one.bare), {
      petstore: median(one.petstore),
      bare: median(one.bare),
    }),
    atLeast(
      0.5,
      'placements in 64 stores, PostgreSQL, vs. the same statements with pg.Pool',
      ratios(many.petstore, many.bare),
      { petstore: median(many.petstore), bare: median(many.bare) },
    ),
  ];
}

async function startWithKey(place: Place): Promise<[petstore: Running, key: string]> {
  const key = await createKey(place);
  const petstore = await startPetstore(place, key);
  await fillShelf(petstore, key);
  return [petstore, key];
}

/** However many are placed, the shelf is not empty. */
async function fillShelf({ port }: Running, key: string): Promise<void> {
  const body = JSON.stringify({ stock: 100_000_000 });
  const { status } = await send(port, requestBytes('PATCH', '/v2/pets/1', { key, body }));
  if (status !== 200) throw new Error(`the stock could not be set: ${status}`);
}

/** Orders placed a second by 64 clients, who share these keys out. */
async function placements({ port }: Running, keys: readonly string[], seconds: number): Promise<number> {
  const body = JSON.stringify({ petId: 1, quantity: 1 });
  const requests = keys.map((key) => requestBytes('POST', '/v2/store/orders', { key, body }));
  const next = (client: number) => requests[client % requests.length];
  return expectOnly(await closedLoop({ port, connections: CLIENTS, seconds, next }), 201).rate;
}

async function openStores(url: string, count: number): Promise<string[]> {
  const args = [programOf('open-stores'), url, String(count)];
  return (await run({ command: process.execPath, args })).trim().split('\n');
}

async function bareRate(url: string, stores: number, seconds: number): Promise<number> {
  const args = [programOf('place-postgres'), url, String(stores), String(seconds)];
  return Number(await run({ command: process.execPath, args }));
}
