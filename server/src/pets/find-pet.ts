import { query } from '../database/query.ts';

export const findPet = query((db, p: { storeId: bigint; petId: bigint }) =>
  db
    .selectFrom('pets')
    .select(['id', 'name', 'category', 'stock'])
    .where('store_id', '=', p.storeId)
    .where('id', '=', p.petId),
);
