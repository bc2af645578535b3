import { openDeployment } from '../../../src/app/open-deployment.ts';
import type { Location } from '../../../src/config/location.ts';
import { newKey } from '../../../src/keys/manage-keys.ts';
import { openStore } from '../../../src/provisioning/open-store.ts';
import { insertPet } from '../../support/pets.ts';
import { type Client, type History, newHistory, recordingClient } from './recorded-clients.ts';
import type { Replica } from './replica.ts';

export const STOCK = 1_000_000_000n;
const PETS = 8;
const MAX_QUANTITY = 1000;

export interface LoadedStore {
  readonly key: string;
  readonly petIds: readonly number[];
  readonly history: History;
  /** Placements begun so far. */
  placed: number;
}

/** Stores with pets whose stock never runs out. */
export async function storesForLoad(location: Location, count: number): Promise<LoadedStore[]> {
  await using deployment = await openDeployment('production', location);
  const { writer } = deployment;
  const open = async () => {
    const { key, details } = newKey('production', 'load');
    const at = BigInt(Date.now());
    const { storeId } = await writer.apply(openStore, { owner: null, key: details, at });
    const pets = await Promise.all(
      Array.from({ length: PETS }, () => insertPet(writer, storeId, { stock: STOCK })),
    );
    return { key, petIds: pets.map(({ id }) => Number(id)), history: newHistory(), placed: 0 };
  };
  return await Promise.all(Array.from({ length: count }, open));
}

export interface Load {
  /** Waits until every client has finished its current request. */
  stop(): Promise<void>;
  /** Reads every order once more, and the list of every store on every replica. */
  readEverything(): Promise<void>;
  counts(): Record<string, number>;
}

/** Concurrent clients, each with one store, which send each request to a random replica. */
export function startLoad(
  stores: readonly LoadedStore[],
  replicas: readonly Replica[],
  clients: number,
): Load {
  let over = false;
  const anyPort = () => (pick(replicas) as Replica).port;
  const working = Array.from({ length: clients }, async (_, i) => {
    const store = stores[i % stores.length] as LoadedStore;
    const client = recordingClient(store.key, store.history, anyPort);
    while (!over) await doSomething(client, store);
  });
  return {
    async stop() {
      over = true;
      await Promise.all(working);
    },
    async readEverything() {
      await Promise.all(
        stores.flatMap(({ key, history }) => {
          const ids = [...history.marks.keys()];
          return replicas.map(async ({ port }, i) => {
            const client = recordingClient(key, history, () => port);
            await client.list();
            for (const [n, id] of ids.entries()) if (n % replicas.length === i) await client.get(id);
          });
        }),
      );
    },
    counts() {
      const all: Record<string, number> = {};
      for (const { history } of stores)
        for (const [name, count] of Object.entries(history.counts)) all[name] = (all[name] ?? 0) + count;
      return all;
    },
  };
}

async function doSomething(client: Client, store: LoadedStore): Promise<void> {
  const id = anyOrder(store.history);
  const dice = Math.random() * 100;
  if (id === undefined || dice < 20) return placeSomething(client, store);
  if (dice < 28) return client.list();
  if (dice < 50) return client.get(id);
  if (dice < 58) return client.change('v1 cancel', id);
  if (dice < 66) return client.change('v2 cancel', id);
  if (dice < 84) return client.change('ship', id);
  return client.change('deliver', id);
}

async function placeSomething(client: Client, store: LoadedStore): Promise<void> {
  const number = store.placed++;
  const petId = store.petIds[number % PETS] as number;
  const quantity = 1 + Math.floor(number / PETS);
  if (quantity > MAX_QUANTITY) return client.list();
  if (number % 2 === 0) return client.place({ petId, quantity });
  await client.place({ petId, quantity }, `placement ${number}`);
  // Some verify the response with another request.
  if (number % 9 === 0) await client.place({ petId, quantity }, `placement ${number}`);
}

/** Mostly one of the newest, so that clients contend for it. */
function anyOrder({ marks }: History): number | undefined {
  const ids = [...marks.keys()];
  return pick(Math.random() < 0.8 ? ids.slice(-12) : ids);
}

function pick<T>(from: readonly T[]): T | undefined {
  return from[Math.floor(Math.random() * from.length)];
}
