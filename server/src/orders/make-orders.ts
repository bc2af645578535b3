import { sql } from 'kysely';
import { query } from '../database/query.ts';
import { demonstrationPets } from './demonstration-data.ts';

const DAY_MS = 86_400_000n;
/** Orders are placed evenly over so many days, and the last of them so long ago that it may be delivered. */
const DAYS = 2465n;
const DAYS_AGO = 46n;
const SECONDS = (DAYS * DAY_MS) / 1000n;

export interface MakeOrders {
  readonly storeId: bigint;
  /** The numbers of the orders to make, out of all `count`. */
  readonly first: bigint;
  readonly last: bigint;
  readonly count: bigint;
  /** 00:00 UTC of the day that their dates are counted from. */
  readonly today: bigint;
  /** Where the scattering begins, below 2^30: another beginning makes other orders. */
  readonly shift: bigint;
  /** Of so many orders, four are pending, two shipped, three delivered and the rest cancelled. */
  readonly states: bigint;
}

const columns = [
  'store_id',
  'id',
  'pet_id',
  'quantity',
  'ship_date',
  'status',
  'placed_at',
  'updated_at',
  'revision',
] as const;

const HOUR = sql.lit(3_600_000);
const DAY = sql.lit(DAY_MS);
const pets = sql.lit(demonstrationPets.length);

/**
 * Orders computed by the database itself, in whole numbers alone: the same on every engine and machine.
 * `n` is the order's number, `h` a number below 65536 scattered by multiplying with 2^32 / golden ratio.
 */
export const makeOrders = query((db, p: MakeOrders) => {
  const int = (value: bigint) => sql<bigint>`CAST(${value} AS bigint)`;
  return db
    .insertInto('orders')
    .columns(columns)
    .expression(
      sql`
        WITH RECURSIVE numbers (n) AS (
          SELECT ${int(p.first)} UNION ALL SELECT n + 1 FROM numbers WHERE n < ${int(p.last)}
        ), scattered (n, h, placed) AS (
          SELECT n, (n + ${int(p.shift)}) * 2654435769 % 4294967296 / 65536,
            ${int(p.today)} - ${sql.lit((DAYS + DAYS_AGO) * DAY_MS)} + n * ${sql.lit(SECONDS)} / ${int(p.count)} * 1000
          FROM numbers
        ), orders_made (n, h, placed, state, ship) AS (
          SELECT n, h, placed, h % ${int(p.states)}, placed + (1 + h % 41) * ${DAY} + h % 24 * ${HOUR} FROM scattered
        )
          SELECT ${int(p.storeId)}, n, 1 + h / 10 % ${pets}, 1 + h / 120 % 5, ship,
            CASE WHEN state < 4 THEN 'pending' WHEN state < 6 THEN 'shipped'
              WHEN state < 9 THEN 'delivered' ELSE 'cancelled' END,
            placed,
            CASE WHEN state < 4 THEN placed WHEN state < 6 THEN ship
              WHEN state < 9 THEN ship + 3 * ${DAY} ELSE placed + 6 * ${HOUR} END,
            CASE WHEN state < 4 THEN 1 WHEN state < 6 THEN 2 WHEN state < 9 THEN 3 ELSE 2 END
          FROM orders_made`,
    );
});
