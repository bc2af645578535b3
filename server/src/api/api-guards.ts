import type { Database } from '../database/engine.ts';
import type { DeploymentName } from '../deployment.ts';
import type { Admit } from '../http/guards/admission.ts';
import { authenticate, callerOf } from '../http/guards/authenticate.ts';
import { allowCrossOrigin } from '../http/guards/cors.ts';
import { announceDeprecation, refuseAfterSunset } from '../http/guards/deprecation.ts';
import { keyAdvice } from '../http/guards/key-advice.ts';
import { limitRate, tenantCountedAs } from '../http/guards/rate-limit.ts';
import type { Servers } from '../http/server/address-used.ts';
import type { Guard, Request } from '../http/server/request.ts';
import type { IsKey } from '../key-format.ts';
import { callerFinder, findRefusedKey } from '../keys/find-caller.ts';
import type { faultGuards } from '../sandbox/fault-guards.ts';
import { sandboxOnStagingOnly } from '../sandbox/sandbox-feature.ts';
import type { RequestCounts } from '../stores/request-counts.ts';

export interface ApiGuardsOptions {
  readonly db: Database;
  readonly deployment: DeploymentName;
  readonly isKey: IsKey;
  readonly now: () => number;
  readonly counts: RequestCounts | undefined;
  readonly admit: Admit;
  readonly faults: ReturnType<typeof faultGuards> | undefined;
  readonly trustProxy: boolean;
  readonly servers: Servers;
}

/** Every request of the API passes these, in this order; `scope` asks for what its key must be allowed to do. */
export function apiGuards(options: ApiGuardsOptions): (scope: readonly Guard[]) => Guard[] {
  const { db, isKey, now, counts, faults } = options;
  const checkKey = authenticate({
    find: callerFinder(db, isKey, now),
    isKey,
    findRefused: (key) => findRefusedKey(db, isKey, key),
    trustProxy: options.trustProxy,
    advice: (request) =>
      keyAdvice(request.headers.authorization, options.deployment, options.servers(request)[0].origin),
  });
  const tenantOf = (request: Request) => callerOf(request).tenantId;
  return (scope) => [
    allowCrossOrigin,
    announceDeprecation,
    checkKey,
    ...(counts ? [limitRate(counts, (request) => tenantCountedAs(tenantOf(request)))] : []),
    ...scope,
    options.admit(tenantOf),
    ...(faults ? [faults.prefer] : [sandboxOnStagingOnly]),
    refuseAfterSunset(faults?.momentOf ?? now),
    ...(faults ? [faults.fail] : []),
  ];
}
