import { sql } from 'kysely';
import { query, raw } from '../database/query.ts';
import { type Order, readColumns } from './order.ts';

export const findOrder = query((db, p: { storeId: bigint; orderId: bigint }) =>
  raw(
    db,
    sql<Order>`SELECT ${readColumns()} FROM orders WHERE store_id = ${p.storeId} AND id = ${p.orderId}`,
  ),
);
