import { type RawBuilder, sql } from 'kysely';

/** A prime: whichever bit of a number flips, the remainder is another. Sums of remainders stay far below 64 bits. */
const MODULUS = sql.lit(4_294_967_291);

/** An id as it goes into the sum of a row. */
export function smallFrom(id: RawBuilder<unknown>): RawBuilder<bigint> {
  return sql`${id} % ${MODULUS}`;
}
