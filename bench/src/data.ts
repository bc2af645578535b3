import { folder } from './processes.ts';
import { type Place, seed } from './subjects/petstore.ts';
import { type Postgres, startPostgres } from './subjects/postgres.ts';

/** One order in ten is cancelled and not in the list of v1: these many leave a hundred in it, and a million. */
const SMALL = 113;
const LARGE = 1_111_086;

/** A SQLite database with a store of each size: their keys. */
export interface Stores {
  readonly place: Place & { readonly engine: 'sqlite' };
  readonly small: string;
  readonly large: string;
}

/** What scenarios share, made when it is first asked for. */
export class Data {
  #stores: Promise<Stores> | undefined;
  #postgres: Promise<Postgres> | undefined;

  stores(): Promise<Stores> {
    this.#stores ??= createStores();
    return this.#stores;
  }

  postgres(): Promise<Postgres> {
    this.#postgres ??= startPostgres();
    return this.#postgres;
  }

  async close(): Promise<void> {
    await (await this.#postgres)?.stop();
  }
}

async function createStores(): Promise<Stores> {
  const place = { engine: 'sqlite', data: folder('stores') } as const;
  return { place, small: await seed(place, SMALL), large: await seed(place, LARGE) };
}
