import type { Database } from '../database/engine.ts';
import { callerOf, challenge, keyOf } from '../http/guards/authenticate.ts';
import type { Answer, Guard, RequestClock } from '../http/server/answer.ts';
import type { Request } from '../http/server/request.ts';
import { noteBody } from '../http/server/request-body.ts';
import type { IsKey } from '../key-format.ts';
import { findCaller } from '../keys/find-caller.ts';
import { Refusal } from '../refusal.ts';
import type { Writer } from '../writer/writer.ts';
import { drawFault, findFaults } from './armed-faults.ts';
import type { DocumentedErrors } from './documented-errors.ts';
import { type Fault, isFaultKind } from './fault-kinds.ts';
import { wishesOf } from './wishes.ts';

export interface FaultGuardOptions {
  readonly db: Database;
  readonly writer: Writer;
  readonly isKey: IsKey;
  readonly now: () => number;
  readonly documented: DocumentedErrors;
}

/** Lets requests fail on purpose: because they ask for it themselves, or because somebody armed a fault for them. */
export function faultGuards({ db, writer, isKey, now, documented }: FaultGuardOptions) {
  const touchable: ReadonlySet<string | undefined> = new Set(documented.operationNames);

  /** Reads what the request prefers; a key that will have expired by then is refused as it will be then. */
  const prefer: Guard = (request) => {
    const { headers, operation } = request;
    if (headers.prefer === undefined || !touchable.has(operation.fullName)) return undefined;
    const { wishes, applied } = wishesOf(
      String(headers.prefer),
      operation.fullName as string,
      now(),
      documented,
    );
    request.wishes = wishes;
    if (applied.length > 0)
      request.answerHeaders.push('preference-applied', applied.join(', '), 'vary', 'Prefer');
    if (wishes.now === undefined) return undefined;
    return findCaller(db, isKey, keyOf(request) ?? '', BigInt(wishes.now)).then((caller) => {
      if (!caller) throw challenge('invalid_api_key');
      return undefined;
    });
  };

  /** Decides which fault the request meets, if any. Where nothing is to be done, it is answered here. */
  const fail: Guard = (request) => {
    const wished = request.wishes?.fault;
    if (wished) return meet(request, wished);
    const { storeId, faultsUntil } = callerOf(request);
    if (faultsUntil === null || faultsUntil <= BigInt(now())) return undefined;
    const { fullName } = request.operation;
    if (fullName === undefined || !touchable.has(fullName)) return undefined;
    return drawArmed(storeId, fullName).then((fault) => fault && meet(request, fault));
  };

  async function drawArmed(storeId: bigint, operation: string): Promise<Fault | undefined> {
    const rules = await db.all(findFaults, { storeId, now: BigInt(now()) });
    const positions = rules
      .filter((rule) => rule.times === null || rule.fired < rule.times)
      .filter((rule) => faultFor(rule, operation))
      .map(({ position }) => position);
    if (positions.length === 0) return undefined;
    const drawn = await writer.apply(drawFault, { storeId, positions }).catch((error) => {
      // The store was reset meanwhile, and its faults are gone with it.
      if (error instanceof Refusal) return undefined;
      throw error;
    });
    return drawn && faultFor(drawn, operation);
  }

  function faultFor(
    rule: { operation: string; fault: string; parameters: string },
    operation: string,
  ): Fault | undefined {
    if ((rule.operation !== '*' && rule.operation !== operation) || !isFaultKind(rule.fault))
      return undefined;
    const fault: Fault = { kind: rule.fault, ...JSON.parse(rule.parameters) };
    return documented.isDocumented(operation, fault.code) ? fault : undefined;
  }

  async function meet(request: Request, fault: Fault): Promise<Answer | undefined> {
    request.fault = fault;
    // A half of what is compressed while it is sent cannot be told beforehand.
    if (fault.kind === 'truncate') delete request.headers['accept-encoding'];
    if (fault.kind !== 'status' && !inPlaceOfWork.has(fault.kind)) return undefined;
    await noteBody(request);
    return fault.kind === 'status' ? statusAnswer(request, fault) : notSent;
  }

  function statusAnswer(request: Request, fault: Fault): Answer {
    const answer = documented.errorOf(request.operation.fullName as string, fault, now());
    const names = answer.headers?.filter((_, index) => index % 2 === 0);
    // Guards have set some of its headers already.
    request.answerHeaders = request.answerHeaders.filter(
      (_, index, all) => !names?.includes(all[index - (index % 2)] as string),
    );
    return answer;
  }

  return {
    prefer,
    fail,
    momentOf: ((request) => request.wishes?.now ?? now()) satisfies RequestClock,
  };
}

/** The request is not carried out; the sender makes the fault instead of an answer. */
const inPlaceOfWork: ReadonlySet<string> = new Set(['drop', 'reset', 'garbage']);

/** Only observers are told of this answer. */
const notSent: Answer = { status: 503, error: 'unavailable', isUnsent: true };
