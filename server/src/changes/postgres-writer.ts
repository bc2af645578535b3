import { Unavailable } from '../database/engine.ts';
import { PostgresLink, type PostgresSession } from '../database/postgres-link.ts';
import { query } from '../database/query.ts';
import { runGroup } from './group.ts';
import type { GroupConnection } from './transaction.ts';
import { Lane, type Writer } from './writer.ts';

/** Groups that may be under way at once, each on a connection of its own. */
const LANES = 4;

const lockCounters = query((db, p: { id: bigint }) =>
  db
    .selectFrom('stores')
    .select(['revision', 'next_order_id', 'next_pet_id'])
    .where('id', '=', p.id)
    .forUpdate(),
);

/** Changes to one store always take the same lane, so this process never waits for itself. */
export function openPostgresWriter(url: string): Writer {
  const lanes = Array.from({ length: LANES }, () => {
    const link = new PostgresLink(url);
    return { link, lane: new Lane((commands) => runGroup(groupOn(link), commands)) };
  });
  return {
    apply(verb, args) {
      const storeId = 'storeId' in args ? args.storeId : 0n;
      const { lane } = lanes[Number(storeId % BigInt(LANES))] as (typeof lanes)[number];
      return lane.submit({ verb, args }) as never;
    },
    async close() {
      await Promise.all(lanes.map(({ lane }) => lane.idle()));
      await Promise.all(lanes.map(({ link }) => link.close()));
    },
  };
}

/** A group keeps to the session that it began on: on another, its statements would stand outside the transaction. */
function groupOn(link: PostgresLink): GroupConnection {
  let session: PostgresSession;
  return {
    all: (query, params) => session.all(query, params),
    async begin() {
      session = await link.session();
      await session.exec('BEGIN');
    },
    async commit() {
      // A transaction that failed inside is rolled back by COMMIT, without an error.
      if ((await session.exec('COMMIT')) !== 'COMMIT')
        throw new Unavailable('the transaction was rolled back');
    },
    async rollback() {
      await session.exec('ROLLBACK');
    },
    lockStore: async (id) => (await session.all(lockCounters, { id }))[0],
  };
}
