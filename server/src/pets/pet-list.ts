import { query } from '../database/query.ts';
import { petColumns } from './pet.ts';

const columns = [...petColumns, 'revision'] as const;

/** Pets by ascending id. */
export const petListPage = query((db, p: { storeId: bigint; after: bigint; limit: bigint }) =>
  db
    .selectFrom('pets')
    .select(columns)
    .where('store_id', '=', p.storeId)
    .where('id', '>', p.after)
    .orderBy('id')
    .limit(p.limit),
);
