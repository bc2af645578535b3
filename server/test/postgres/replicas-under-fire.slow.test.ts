import { setTimeout as pause } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { FIRE_SECONDS } from '../support/effort.ts';
import type { TestDatabase } from '../support/engines.ts';
import { eventually } from './support/eventually.ts';
import { violationsIn } from './support/history-check.ts';
import { STOCK, startLoad, storesForLoad } from './support/load.ts';
import { type OwnPostgres, startOwnPostgres } from './support/own-postgres.ts';
import { type Replica, startReplica } from './support/replica.ts';

const everyKindOfResponse = [
  'place: 201',
  'place: 201 replayed',
  'place: unknown',
  'v1 list: 200',
  'get: 200 cancelled',
  'v1 cancel: 204',
  'v2 cancel: 409 order_already_cancelled',
  'ship: 200',
  'ship: unknown',
  'deliver: 200',
];

describe('three replicas on one PostgreSQL, with 64 clients', () => {
  it(
    'stay linearizable and lose nothing they acknowledged, despite kills, partitions, and PostgreSQL crashes',
    async () => {
      await using postgres = await startOwnPostgres();
      const database = await postgres.engine.create();
      const stores = await storesForLoad(database.location, 4);
      await using replicas = await startThree(database);

      const load = startLoad(stores, replicas.all, 64);
      await strike(postgres, replicas.all, () => everyKindOfResponse.every((kind) => kind in load.counts()));
      await load.stop();
      for (const replica of replicas.all) {
        await eventually(
          () => fetch(`http://127.0.0.1:${replica.port}/readyz`).catch(endedByItself(replica)),
          ({ ok }) => ok,
        );
      }
      await load.readEverything();

      expect(stores.flatMap(({ history }) => violationsIn(history))).toEqual([]);
      expect(await lostUnits(database)).toEqual([]);
      expect(await brokenHistories(database)).toEqual([]);
      const counts = load.counts();
      if (process.env.FIRE_SECONDS) console.log(counts);
      expect(Object.keys(counts)).toEqual(expect.arrayContaining(everyKindOfResponse));
    },
    (FIRE_SECONDS + 600) * 1000,
  );
});

const endedByItself =
  ({ output }: Replica) =>
  (cause: unknown) => {
    throw new Error(`a replica cannot be reached although it was not killed; its output: ${output}`, {
      cause,
    });
  };

async function startThree({ flags }: TestDatabase): Promise<AsyncDisposable & { all: Replica[] }> {
  const all = await Promise.all([1, 2, 3].map(() => startReplica(flags)));
  return {
    all,
    async [Symbol.asyncDispose]() {
      await Promise.all(all.map((replica) => replica[Symbol.asyncDispose]()));
    },
  };
}

/**
 * Cuts all connections to the database, then kills a replica, each in the middle of its work; half-way
 * through, PostgreSQL crashes too. Continues until every kind of response was seen, even on a slow machine.
 */
async function strike(
  postgres: OwnPostgres,
  replicas: readonly Replica[],
  sawEverything: () => boolean,
): Promise<void> {
  const until = performance.now() + FIRE_SECONDS * 1000;
  const crash = async () => {
    await postgres.stop('crash');
    await postgres.start();
  };
  let crashed = false;
  const isDone = (rounds: number) => rounds >= replicas.length && crashed && sawEverything();
  for (let round = 0; performance.now() < until || !isDone(round); round++) {
    await pause(250 + Math.random() * 250);
    await postgres.query(
      "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'petstore'",
    );
    await pause(250 + Math.random() * 250);
    const half: boolean = !crashed && performance.now() > until - FIRE_SECONDS * 500;
    await Promise.all([replicas[round % replicas.length]?.kill(), half ? crash() : undefined]);
    crashed ||= half;
  }
}

/** Pets whose stock and ordered units do not add up to the initial stock. */
function lostUnits({ rows }: TestDatabase) {
  return rows(
    `SELECT pets.store_id, pets.id, stock, sum(quantity) AS ordered FROM pets
     LEFT JOIN orders ON orders.store_id = pets.store_id AND pet_id = pets.id AND status <> 'cancelled'
     WHERE name = 'load' GROUP BY pets.store_id, pets.id
     HAVING stock + coalesce(sum(quantity), 0) <> ${STOCK}`,
  );
}

/** Orders placed here whose recorded changes do not lead to their state. */
function brokenHistories({ rows }: TestDatabase) {
  return rows(
    `SELECT orders.store_id, orders.id, orders.status, count(change.revision) AS changes
     FROM orders LEFT JOIN changes change ON change.store_id = orders.store_id AND change.order_id = orders.id
     WHERE orders.id > 40 GROUP BY orders.store_id, orders.id
     HAVING count(change.revision) <> CASE orders.status WHEN 'pending' THEN 1 WHEN 'delivered' THEN 3 ELSE 2 END
     OR max(change.revision) <> orders.revision`,
  );
}
