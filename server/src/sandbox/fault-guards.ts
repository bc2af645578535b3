import { ignoreDomainErrors } from '../domain/domain-error.ts';
import type { IsKey } from '../domain/key-format.ts';
import { callerOf, challenge, keyOf } from '../http/guards/caller.ts';
import type { Guard, Request, RequestClock, Response } from '../http/server/request.ts';
import { noteBody } from '../http/server/request-body.ts';
import { findCaller } from '../keys/find-caller.ts';
import { type ArmedFault, drawFault, findFaults, isUsedUp } from './armed-faults.ts';
import type { Fault, FaultKind } from './fault-kinds.ts';
import { applicablePreferences } from './preferences.ts';
import type { SandboxServices } from './sandbox.ts';

type Needed = Pick<SandboxServices, 'db' | 'writer' | 'documented'> & { isKey: IsKey; now: () => number };

/** The sender makes these instead of an answer: the request is not carried out. */
const inPlaceOfWork: ReadonlySet<FaultKind> = new Set(['drop', 'reset', 'garbage']);

function nameApplied({ responseHeaders }: Request, { text }: { text: string }): void {
  const named = responseHeaders.indexOf('preference-applied');
  if (named === -1) responseHeaders.push('preference-applied', text, 'vary', 'Prefer');
  else responseHeaders[named + 1] += `, ${text}`;
}

const notSent: Response = { status: 503, error: 'unavailable', isUnsent: true };

/** Lets requests fail on purpose: because they ask for it themselves, or because somebody armed a fault for them. */
export function faultGuards({ db, writer, isKey, now, documented }: Needed) {
  const operationOf = ({ operation: { fullName = '' } }: Request) =>
    documented.operationNames.has(fullName) ? fullName : undefined;

  // Most requests have neither wishes nor faults to meet, and wait for nothing.
  const prefer: Guard = (request) =>
    request.headers.prefer === undefined ? undefined : readPreferenceList(request);
  const fail: Guard = (request) =>
    request.preferences?.fault || isArmed(request) ? meetFault(request) : undefined;

  /** A key that will have expired by the moment that is wished for is refused as it will be then. */
  async function readPreferenceList(request: Request): Promise<undefined> {
    const operation = operationOf(request);
    if (operation === undefined) return;
    request.preferences = applicablePreferences(String(request.headers.prefer), operation, now(), documented);
    const later = request.preferences.now;
    if (!later) return;
    nameApplied(request, later);
    const caller = await findCaller(db, isKey, keyOf(request) ?? '', BigInt(later.moment));
    if (!caller) throw challenge('invalid_api_key');
  }

  /** Decides which fault the request meets, if any. Where nothing is to be done, it is answered here. */
  async function meetFault(request: Request): Promise<Response | undefined> {
    const wished = request.preferences?.fault;
    if (wished) nameApplied(request, wished);
    const fault = wished ?? (await drawArmed(request));
    if (!fault) return;
    request.fault = fault;
    // A half of what is compressed while it is sent cannot be told beforehand.
    if (fault.kind === 'truncate') delete request.headers['accept-encoding'];
    if (fault.kind !== 'status' && !inPlaceOfWork.has(fault.kind)) return;
    await noteBody(request);
    if (fault.kind !== 'status') return notSent;
    const error = documented.errorOf(request.operation.fullName as string, fault, now());
    // Guards have set some of its headers already: names and values in turn.
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
    const rules = await db.all(findFaults, { storeId, now: BigInt(now()) });
    const due = rules.filter((rule) => !isUsedUp(rule) && faultFor(rule, operation));
    if (due.length === 0) return undefined;
    // A store that is reset meanwhile has no faults any more.
    const drawn = await writer.apply(drawFault, { storeId, rules: due }).catch(ignoreDomainErrors);
    return drawn && faultFor(drawn, operation);
  }

  function faultFor(rule: ArmedFault, operation: string): Fault | undefined {
    if (rule.operation !== '*' && rule.operation !== operation) return undefined;
    const fault: Fault = { kind: rule.fault as FaultKind, ...JSON.parse(rule.parameters) };
    return documented.isDocumented(operation, fault.code) ? fault : undefined;
  }

  const effectiveTime: RequestClock = (request) => request.preferences?.now?.moment ?? now();
  return { prefer, fail, effectiveTime };
}
