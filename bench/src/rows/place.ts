import { encodeRequest, openSide, sendRequest } from '../load.ts';
import { compare, type Effort, type Row, type Side } from '../measure/compare.ts';
import { processorTime } from '../measure/processor-time.ts';
import { createFolder, type RunningServer } from '../processes.ts';
import { startBareProgram } from '../subjects/bare.ts';
import {
  createKey,
  type DatabaseLocation,
  databaseFile,
  fillStock,
  seedStores,
  startPetstore,
} from '../subjects/petstore.ts';
import { startPostgres } from '../subjects/postgres.ts';

const STORES = 64;
const body = JSON.stringify({ petId: 1, quantity: 1 });

/** Orders placed by 64 clients, each on disk before its 201. */
export async function place(effort: Effort): Promise<Row[]> {
  return [await onSqlite(effort), ...(await onPostgres(effort))];
}

async function onSqlite(effort: Effort): Promise<Row> {
  const [petstore, key] = await startWithKey({ engine: 'sqlite', data: createFolder('place') });
  await using _ = petstore;
  const copy = { engine: 'sqlite', data: createFolder('bare-place') } as const;
  await createKey(copy);
  await using bare = await startBareProgram('place-server', databaseFile(copy));
  using ours = await openPlacingSide(petstore, [key]);
  using theirs = await openSide('node:http', bare, 201, () => encodeRequest('/', { method: 'POST', body }));
  const what = 'an order placed, SQLite, vs. node:http and the driver with group commit';
  const because = 'each request has a key lookup, checks, a log line, metrics and a record for the inspector';
  return await compare({ what, limit: 2.5, because }, ours, theirs, effort);
}

async function onPostgres(effort: Effort): Promise<Row[]> {
  const postgres = await startPostgres();
  try {
    const url = await postgres.createDatabase('place');
    const [petstore, key] = await startWithKey({ engine: 'postgres', url });
    await using _ = petstore;
    const keys = await seedStores({ engine: 'postgres', url }, STORES, 1);
    for (const opened of keys) await fillStock(petstore, opened);
    const bareUrl = await postgres.createDatabase('bare');
    await seedStores({ engine: 'postgres', url: bareUrl }, STORES, 1);
    await using pool = await startBareProgram('place-postgres', bareUrl);
    using inOne = await openPlacingSide(petstore, [key]);
    using inMany = await openPlacingSide(petstore, keys);
    const one = {
      what: 'elapsed: orders placed in one store, PostgreSQL, vs. one commit each',
      limit: 1 / 1.5,
      by: 'elapsed time',
      because: 'commits are fast on this disk, so sharing them saves little',
    } as const;
    const many = {
      what: 'orders placed in 64 stores, PostgreSQL, vs. the same statements with pg.Pool',
      limit: 2,
      because: 'pg.Pool runs without HTTP, keys, checks or a log',
    };
    return [
      await compare(one, inOne, poolSide(pool, 1), effort),
      await compare(many, inMany, poolSide(pool, STORES), effort),
    ];
  } finally {
    await postgres.stop();
  }
}

async function startWithKey(location: DatabaseLocation): Promise<[petstore: RunningServer, key: string]> {
  const key = await createKey(location);
  const petstore = await startPetstore(location, key);
  await fillStock(petstore, key);
  return [petstore, key];
}

/** A side whose clients place orders, each in one of the stores. */
function openPlacingSide(petstore: RunningServer, keys: readonly string[]) {
  const requests = keys.map((key) => encodeRequest('/v2/store/orders', { method: 'POST', key, body }));
  return openSide('petstore', petstore, 201, (client) => requests[client % requests.length] as Buffer);
}

/** Places orders without HTTP. */
function poolSide({ pid, port }: RunningServer, stores: number): Side {
  return {
    name: 'pg.Pool',
    processorTime: () => processorTime(pid),
    sample: async (seconds) =>
      Number((await sendRequest(port, `/?stores=${stores}&seconds=${seconds}`)).body.toString()),
  };
}
