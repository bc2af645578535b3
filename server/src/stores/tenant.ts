import { sql } from 'kysely';

/** Limits are counted by the store that was opened first: a reset gives it another id, and nobody another allowance. */
export const tenantId = sql<bigint>`coalesce(stores.tenant_id, stores.id)`;
