import type { Database } from '../database/engine.ts';
import type { DeploymentName } from '../deployment.ts';
import type { Admit } from '../http/guards/admission.ts';
import { authenticate, callerOf } from '../http/guards/authenticate.ts';
import { allowCrossOrigin } from '../http/guards/cors.ts';
import { announceDeprecation, refuseAfterSunset } from '../http/guards/deprecation.ts';
import { keyAdvice } from '../http/guards/key-advice.ts';
import { limitRate, tenantCountedAs } from '../http/guards/rate-limit.ts';
import type { RefusedKeys } from '../http/guards/refused-keys.ts';
import type { Guard } from '../http/server/guard.ts';
import type { Servers } from '../http/server/servers.ts';
import type { IsKey } from '../key-format.ts';
import { callerFinder, findRefusedKey } from '../keys/find-caller.ts';
import type { openSandbox } from '../sandbox/sandbox.ts';
import { sandboxOnStagingOnly } from '../sandbox/staging-only.ts';
import type { RequestCounts } from '../stores/request-counts.ts';

export interface ApiGuardsOptions {
  readonly db: Database;
  readonly deployment: DeploymentName;
  readonly isKey: IsKey;
  readonly now: () => number;
  readonly counts: RequestCounts | undefined;
  readonly admit: Admit;
  readonly sandbox: ReturnType<typeof openSandbox> | undefined;
  /** Whether the owner of a key is told of requests that came with it when it no longer worked. */
  readonly knowsRefusedKeys: boolean;
  readonly refusedKeys: RefusedKeys;
  readonly trustProxy: boolean;
  readonly servers: Servers;
}

/** What every request of the API passes, in this order; `scope` asks for what its key must be allowed to do. */
export function apiGuards(options: ApiGuardsOptions, scope: readonly Guard[]): Guard[] {
  const {
    db,
    deployment,
    isKey,
    now,
    counts,
    admit,
    sandbox,
    knowsRefusedKeys,
    refusedKeys,
    trustProxy,
    servers,
  } = options;
  const findRefused = (key: string) => findRefusedKey(db, isKey, key);
  return [
    allowCrossOrigin,
    announceDeprecation,
    authenticate({
      find: callerFinder(db, isKey, now),
      isWellFormed: isKey,
      whose: knowsRefusedKeys ? findRefused : undefined,
      refusedKeys,
      trustProxy,
      advice: (request) =>
        keyAdvice(request.headers.authorization, deployment, `${servers(request)[0].origin}/console`),
    }),
    ...(counts ? [limitRate(counts, (request) => tenantCountedAs(callerOf(request).tenantId))] : []),
    ...scope,
    admit((request) => callerOf(request).tenantId),
    ...(sandbox ? [sandbox.prefer] : [sandboxOnStagingOnly]),
    refuseAfterSunset(sandbox?.moment ?? now),
    ...(sandbox ? [sandbox.fail] : []),
  ];
}
