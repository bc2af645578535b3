import { copyFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { Engine } from './options.ts';
import { folder } from './processes.ts';
import { databaseFile, type Place, seed } from './subjects/petstore.ts';
import { ask, type Postgres, startPostgres } from './subjects/postgres.ts';

/** One order in ten is cancelled and not in the list of v1: these many leave exactly so many in it. */
export const SMALL = { orders: 113, listed: 100 };
export const LARGE = { orders: 1_111_086, listed: 1_000_000 };
/** For PostgreSQL in a quick run, which has no time to make a million. */
const TENTH = 111_109;

/** A database with a store of each size. */
export interface Stores {
  readonly place: Place;
  readonly small: string;
  readonly large: string;
}

/** Databases for the scenarios, made when first asked for. */
export class Data {
  readonly #made = new Map<Engine, Promise<Stores>>();
  #postgres: Promise<Postgres> | undefined;
  readonly #quick: boolean;
  #copies = 0;

  constructor({ quick }: { quick: boolean }) {
    this.#quick = quick;
  }

  postgres(): Promise<Postgres> {
    this.#postgres ??= startPostgres();
    return this.#postgres;
  }

  /** Shared by the scenarios, which may cancel orders in it. */
  stores(engine: Engine): Promise<Stores> {
    const known = this.#made.get(engine) ?? this.#make(engine);
    this.#made.set(engine, known);
    return known;
  }

  /** A copy to be changed at will. */
  async copy(stores: Stores): Promise<Stores> {
    if (stores.place.engine === 'sqlite') {
      const data = folder('copy');
      copyFileSync(databaseFile(stores.place), join(data, 'production.db'));
      return { ...stores, place: { engine: 'sqlite', data } };
    }
    const postgres = await this.postgres();
    const url = await postgres.createDatabase(`copy${++this.#copies}`, 'stores');
    return { ...stores, place: { engine: 'postgres', url } };
  }

  async close(): Promise<void> {
    await (await this.#postgres)?.stop();
  }

  async #make(engine: Engine): Promise<Stores> {
    const place: Place =
      engine === 'sqlite'
        ? { engine, data: folder('stores') }
        : { engine, url: await (await this.postgres()).createDatabase('stores') };
    const small = await seed(place, SMALL.orders);
    const large = await seed(place, this.#quick && engine === 'postgres' ? TENTH : LARGE.orders);
    if (place.engine === 'postgres') await ask(place.url, 'VACUUM ANALYZE');
    return { place, small, large };
  }
}

export async function largeStoreId(place: Place): Promise<bigint> {
  const [store] = await rows(place, 'SELECT id FROM stores ORDER BY next_order_id DESC LIMIT 1');
  return BigInt(String(store?.id));
}

/** The large store's id and its pending orders, in the order of the list. */
export async function pendingOrders(place: Place): Promise<{ storeId: bigint; ids: string[] }> {
  const storeId = await largeStoreId(place);
  const found = await rows(
    place,
    `SELECT id FROM orders WHERE store_id = ${storeId} AND status = 'pending' ORDER BY id`,
  );
  return { storeId, ids: found.map(({ id }) => String(id)) };
}

/** The same, but no two that follow each other are neighbours. */
export function scattered(ids: readonly string[]): string[] {
  const stride = 104_729;
  return ids.map((_, index) => ids[(index * stride) % ids.length] as string);
}

async function rows(place: Place, text: string): Promise<Array<Record<string, unknown>>> {
  if (place.engine === 'postgres') return ask(place.url, text);
  using db = new DatabaseSync(databaseFile(place), { readOnly: true });
  const statement = db.prepare(text);
  statement.setReadBigInts(true);
  return statement.all();
}
