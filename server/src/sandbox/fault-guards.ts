import { ignoreDomainErrors } from '../domain/domain-error.ts';
import type { IsKey } from '../domain/key-format.ts';
import { bearerToken, callerOf, challenge } from '../http/guards/caller.ts';
import type { Guard, Request, RequestClock, Response } from '../http/server/request.ts';
import { recordBody } from '../http/server/request-body.ts';
import { findCaller } from '../keys/find-caller.ts';
import { type ArmedFault, drawFault, findFaults, isUsedUp } from './armed-faults.ts';
import type { Fault, FaultKind } from './fault-kinds.ts';
import { applicablePreferences } from './preferences.ts';
import type { SandboxServices } from './sandbox.ts';

export type FaultOptions = Pick<SandboxServices, 'db' | 'writer' | 'documented'> & {
  isKey: IsKey;
  now: () => number;
};

/** The response sender executes these faults without a response, so the request is not handled. */
const kindsWithoutResponse: ReadonlySet<FaultKind> = new Set(['drop', 'reset', 'garbage']);
const unsentResponse: Response = { status: 503, error: 'unavailable', isReplacedByFault: true };

function addPreferenceApplied({ responseHeaders }: Request, { text }: { text: string }): void {
  const index = responseHeaders.indexOf('preference-applied');
  if (index === -1) responseHeaders.push('preference-applied', text, 'vary', 'Prefer');
  else responseHeaders[index + 1] += `, ${text}`;
}

/** Fault injection: `parsePreferences` reads the `Prefer` header; `injectFault` applies the fault that it names, or an armed one. */
export function faultGuards({ db, writer, isKey, now, documented }: FaultOptions) {
  const operationOf = ({ operation: { fullName = '' } }: Request) =>
    documented.operationNames.has(fullName) ? fullName : undefined;

  // Synchronous for requests without preferences or faults.
  const parsePreferences: Guard = (request) =>
    request.headers.prefer === undefined ? undefined : readPreferences(request);
  const injectFault: Guard = (request) =>
    request.preferences?.fault || isArmed(request) ? applyFault(request) : undefined;

  /** With `now`, a key that will have expired by then is rejected. */
  async function readPreferences(request: Request): Promise<undefined> {
    const operation = operationOf(request);
    if (operation === undefined) return;
    request.preferences = applicablePreferences(String(request.headers.prefer), operation, now(), documented);
    const later = request.preferences.now;
    if (!later) return;
    addPreferenceApplied(request, later);
    const caller = await findCaller(db, isKey, bearerToken(request) ?? '', BigInt(later.time));
    if (!caller) throw challenge('invalid_api_key');
  }

  /** Selects the fault. Responds here if the request is not to be handled; the response sender executes all other faults. */
  async function applyFault(request: Request): Promise<Response | undefined> {
    const preferred = request.preferences?.fault;
    if (preferred) addPreferenceApplied(request, preferred);
    const fault = preferred ?? (await drawArmed(request));
    if (!fault) return;
    request.fault = fault;
    // Without compression: the length of a body that is compressed on the fly is not known in advance.
    if (fault.kind === 'truncate') delete request.headers['accept-encoding'];
    if (fault.kind !== 'status' && !kindsWithoutResponse.has(fault.kind)) return;
    await recordBody(request);
    if (fault.kind !== 'status') return unsentResponse;
    const error = documented.toError(request.operation.fullName as string, fault, now());
    // Names and values alternate. Drops the headers that the error sets again.
    request.responseHeaders = request.responseHeaders.filter(
      (_, index, all) => !error.headers.includes(all[index - (index % 2)] as string),
    );
    throw error;
  }

  function isArmed(request: Request): boolean {
    const { faultsUntil } = callerOf(request);
    return faultsUntil !== null && faultsUntil > BigInt(now());
  }

  async function drawArmed(request: Request): Promise<Fault | undefined> {
    const { storeId } = callerOf(request);
    const operation = operationOf(request);
    if (operation === undefined) return undefined;
    const armed = await db.all(findFaults, { storeId, now: BigInt(now()) });
    const rules = armed.filter((rule) => !isUsedUp(rule) && faultFor(rule, operation));
    if (rules.length === 0) return undefined;
    // A domain error means that the store was reset meanwhile: it has no more faults.
    const rule = await writer.apply(drawFault, { storeId, rules }).catch(ignoreDomainErrors);
    return rule && faultFor(rule, operation);
  }

  function faultFor(rule: ArmedFault, operation: string): Fault | undefined {
    if (rule.operation !== '*' && rule.operation !== operation) return undefined;
    const fault: Fault = { kind: rule.fault as FaultKind, ...JSON.parse(rule.parameters) };
    return documented.isDocumented(operation, fault.code) ? fault : undefined;
  }

  const effectiveTime: RequestClock = (request) => request.preferences?.now?.time ?? now();
  return { parsePreferences, injectFault, effectiveTime };
}
