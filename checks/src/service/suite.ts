import { createSuite, type Suite } from './check.ts';
import { signingUpChecks, websiteChecks } from './checks/accounts-and-pages.ts';
import { authenticationChecks } from './checks/authentication.ts';
import { bodyChecks } from './checks/bodies.ts';
import { cachingChecks } from './checks/caching.ts';
import { contractChecks } from './checks/contract.ts';
import { corsChecks } from './checks/cors.ts';
import { endpointChecks } from './checks/endpoints.ts';
import { errorChecks } from './checks/errors.ts';
import { exactnessChecks } from './checks/exactness.ts';
import { httpChecks } from './checks/http.ts';
import { idChecks } from './checks/ids.ts';
import { petEndpointChecks } from './checks/pets.ts';
import { precedenceChecks } from './checks/precedence.ts';
import { resourceChecks } from './checks/resources.ts';
import { serviceChecks } from './checks/service.ts';
import { stateChecks } from './checks/states.ts';
import { sweepChecks } from './checks/sweep.ts';
import { everyOperationChecks } from './checks/table/every-operation.ts';
import { everyResponseChecks } from './checks/table/every-response.ts';
import { edgeChecks } from './checks/v2/edges.ts';
import { eventChecks } from './checks/v2/events.ts';
import { faultChecks } from './checks/v2/faults.ts';
import { filterChecks } from './checks/v2/filters.ts';
import { idempotencyChecks } from './checks/v2/idempotency.ts';
import { keyChecks } from './checks/v2/keys.ts';
import { rateLimitChecks } from './checks/v2/limits.ts';
import { orderChecks } from './checks/v2/orders.ts';
import { ownStoreChecks } from './checks/v2/own-stores.ts';
import { pageChecks } from './checks/v2/pages.ts';
import { petChecks } from './checks/v2/pets.ts';
import { placingChecks } from './checks/v2/placing.ts';
import { readKeyChecks } from './checks/v2/read-keys.ts';
import { sandboxChecks } from './checks/v2/sandbox.ts';
import { securityChecks } from './checks/v2/security.ts';
import { stockChecks } from './checks/v2/stock.ts';
import { streamChecks } from './checks/v2/stream.ts';
import { summaryChecks } from './checks/v2/summary.ts';
import { webhookChecks } from './checks/v2/webhooks.ts';
import { versioningChecks } from './checks/versioning.ts';
import { wireChecks } from './checks/wire.ts';
import type { Context } from './context.ts';
import { specChecks } from './spec/all.ts';

/** All checks, in the order of the specification; then what was decided where it is silent. */
export function buildSuite(context: Context): Suite {
  const suite = createSuite();

  specChecks(suite, context);

  serviceChecks(suite, context);
  resourceChecks(suite, context);
  stateChecks(suite, context);
  endpointChecks(suite, context);
  petEndpointChecks(suite, context);
  authenticationChecks(suite, context);
  errorChecks(suite, context);
  versioningChecks(suite, context);

  idChecks(suite, context);
  exactnessChecks(suite, context);
  precedenceChecks(suite, context);
  bodyChecks(suite, context);
  corsChecks(suite, context);
  cachingChecks(suite, context);
  httpChecks(suite, context);
  wireChecks(suite, context);
  contractChecks(suite, context);

  placingChecks(suite, context);
  idempotencyChecks(suite, context);
  pageChecks(suite, context);
  filterChecks(suite, context);
  orderChecks(suite, context);
  stockChecks(suite, context);
  petChecks(suite, context);
  summaryChecks(suite, context);
  eventChecks(suite, context);
  streamChecks(suite, context);
  webhookChecks(suite, context);
  keyChecks(suite, context);
  readKeyChecks(suite, context);
  rateLimitChecks(suite, context);
  sandboxChecks(suite, context);
  ownStoreChecks(suite, context);
  faultChecks(suite, context);
  securityChecks(suite, context);

  signingUpChecks(suite, context);
  websiteChecks(suite, context);
  edgeChecks(suite, context);
  everyOperationChecks(suite, context);
  sweepChecks(suite, context);
  everyResponseChecks(suite, context);
  return suite;
}
