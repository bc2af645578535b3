import type { Bug } from './bug.ts';
import { securityOfFields } from './security-fields.ts';
import { securityOfKeys } from './security-keys.ts';
import { securityOfLimits } from './security-limits.ts';
import { misconfigurationBugs } from './security-misconfiguration.ts';
import { securityOfStores } from './security-stores.ts';
import { v1CancelOrder } from './v1-cancel-order.ts';
import { v1ListOrders } from './v1-list-orders.ts';
import { v1Pets } from './v1-pets.ts';
import { v2Events } from './v2-events.ts';
import { v2Idempotency } from './v2-idempotency.ts';
import { v2Orders } from './v2-orders.ts';
import { v2Pages } from './v2-pages.ts';
import { v2Stock } from './v2-stock.ts';

/** Every planted bug. Bugs are numbered by position: append new ones. */
export const catalogue: readonly Bug[] = [
  ...v1ListOrders,
  ...v1CancelOrder,
  ...v1Pets,
  ...v2Orders,
  ...v2Stock,
  ...v2Idempotency,
  ...v2Pages,
  ...v2Events,
  ...securityOfStores,
  ...securityOfKeys,
  ...securityOfFields,
  ...securityOfLimits,
  ...misconfigurationBugs,
];
