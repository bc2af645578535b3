import { sql } from 'kysely';
import { query, raw } from '../../src/database/query.ts';
import { orderSum } from '../../src/orders/order-sum.ts';
import { petNumbers, petTexts } from '../../src/pets/pet-sum.ts';
import type { TestDatabase } from './engines.ts';

const sumOrders = query((db, _: Record<never, never>) => raw(db, sql`UPDATE orders SET sum = ${orderSum()}`));

const sumPets = query((db, _: Record<never, never>) => raw(db, sql`UPDATE pets SET sum = ${petNumbers()}`));

/** Sets right the sums of a store's orders, after they were written past the program. */
export function orderSumsOf({ engine }: TestDatabase, storeId: bigint): string {
  return `${sumOrders.on(engine).sql} WHERE store_id = ${storeId}`;
}

/** Sets right what is kept of a store's orders and pets besides what they are. */
export async function setSums(database: TestDatabase, storeId: bigint): Promise<void> {
  const ofStore = `WHERE pets.store_id = ${storeId}`;
  const pets = await database.rows(`SELECT id, name, category FROM pets ${ofStore}`);
  const texts = pets.map(({ id, name, category }) => {
    const more = petTexts({ name: String(name), category: String(category) });
    return `UPDATE pets SET sum = sum + ${more} ${ofStore} AND id = ${id}`;
  });
  const held = `SELECT sum(quantity) FROM orders
    WHERE orders.store_id = ${storeId} AND orders.pet_id = pets.id AND status <> 'cancelled'`;
  await database.exec(
    [
      orderSumsOf(database, storeId),
      `UPDATE pets SET supplied = stock + coalesce((${held}), 0) ${ofStore}`,
      `${sumPets.on(database.engine).sql} ${ofStore}`,
      ...texts,
    ].join(';'),
  );
}
