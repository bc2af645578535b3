import { sql } from 'kysely';

/**
 * By whom limits are counted: by the store that was opened, whatever took its place since. A reset gives a store another
 * id, and nobody another allowance.
 */
export const tenantId = sql<bigint>`coalesce(stores.tenant_id, stores.id)`;
