import type { Database } from '../database/engine.ts';
import { parseDateTime } from '../http/content/date-time.ts';
import { ApiError } from '../http/errors.ts';
import { callerOf, challenge, keyOf } from '../http/guards/authenticate.ts';
import type { Answer } from '../http/server/answer.ts';
import type { Guard, RequestClock } from '../http/server/guard.ts';
import type { Request } from '../http/server/request.ts';
import { noteBody } from '../http/server/request-body.ts';
import type { IsKey } from '../key-format.ts';
import { findCaller } from '../keys/find-caller.ts';
import { Refusal } from '../refusal.ts';
import type { Writer } from '../writer/writer.ts';
import { drawFault, findFaults } from './armed-faults.ts';
import type { DocumentedErrors } from './documented-errors.ts';
import { type Fault, faultOf, isFaultKind, type Wishes } from './fault-kinds.ts';
import { LATEST_NOW } from './limits.ts';
import { type Preference, readPreferences } from './preferences.ts';

export interface FaultGuardOptions {
  readonly db: Database;
  readonly writer: Writer;
  readonly isKey: IsKey;
  readonly now: () => number;
  readonly documented: DocumentedErrors;
}

/** Lets requests fail on purpose: because they ask for it themselves, or because somebody armed a fault for them. */
export function faultGuards({ db, writer, isKey, now, documented }: FaultGuardOptions) {
  const { operationOf } = documented;
  /** Reads what the request prefers; a key that will have expired by then is refused as it will be then. */
  const prefer: Guard = (request) => {
    const { prefer: header } = request.headers;
    const operation = header === undefined ? undefined : operationOf(request);
    if (operation === undefined) return undefined;
    const preferences = readPreferences(String(header));
    const applied = applicable(preferences, operation, now(), documented);
    request.wishes = applied.wishes;
    if (applied.texts.length === 0) return undefined;
    request.answerHeaders.push('preference-applied', applied.texts.join(', '), 'vary', 'Prefer');
    const { now: moment } = applied.wishes;
    if (moment === undefined) return undefined;
    return findCaller(db, isKey, keyOf(request) ?? '', BigInt(moment)).then((caller) => {
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
    const operation = operationOf(request);
    return operation === undefined
      ? undefined
      : armed(storeId, operation).then((fault) => fault && meet(request, fault));
  };

  async function armed(storeId: bigint, operation: string): Promise<Fault | undefined> {
    const rules = await db.all(findFaults, { storeId, now: BigInt(now()) });
    const positions = rules
      .filter(
        (rule) => (rule.times === null || rule.fired < rule.times) && matching(rule, operation, documented),
      )
      .map(({ position }) => position);
    if (positions.length === 0) return undefined;
    const drawn = await writer.apply(drawFault, { storeId, positions }).catch((error) => {
      // The store was reset meanwhile, and its faults are gone with it.
      if (error instanceof Refusal) return undefined;
      throw error;
    });
    return drawn && matching(drawn, operation, documented);
  }

  async function meet(request: Request, fault: Fault): Promise<Answer | undefined> {
    request.fault = fault;
    if (fault.kind === 'status' || undone.has(fault.kind)) await noteBody(request);
    if (fault.kind === 'status') return statusAnswer(request, fault, now(), documented);
    // A half of what is compressed while it is sent cannot be told beforehand.
    if (fault.kind === 'truncate') delete request.headers['accept-encoding'];
    return undone.has(fault.kind) ? unanswered : undefined;
  }

  return {
    prefer,
    fail,
    /** The moment that a request prefers, or the present one. */
    moment: ((request) => request.wishes?.now ?? now()) satisfies RequestClock,
  };
}

/** Faults of which nothing is done: they are carried out in place of the answer. */
const undone: ReadonlySet<string> = new Set(['drop', 'reset', 'garbage']);

/** What observers are told of them; it is not sent. */
const unanswered: Answer = { status: 503, error: 'unavailable', isUnsent: true };

function statusAnswer(request: Request, fault: Fault, now: number, documented: DocumentedErrors): Answer {
  const error = documented.errorOf(documented.operationOf(request) as string, fault.code as number);
  const answer = { ...error, headers: withRetryAfter(error.headers ?? [], fault, now) };
  const names = new Set(answer.headers.filter((_, index) => index % 2 === 0));
  const others = request.answerHeaders.filter(
    (_, index, all) => !names.has(all[index - (index % 2)] as string),
  );
  request.answerHeaders = others;
  return answer;
}

/** Says when to try again as the fault wants it: in seconds, or as a date that is not sooner than that. */
function withRetryAfter(headers: readonly string[], fault: Fault, now: number): readonly string[] {
  const { retryAfter: seconds = 1, retryAfterForm } = fault;
  if (fault.retryAfter === undefined && retryAfterForm === undefined) return headers;
  const date = new Date((Math.ceil(now / 1000) + seconds) * 1000).toUTCString();
  const [at, value] = [headers.indexOf('retry-after'), retryAfterForm === 'date' ? date : String(seconds)];
  const others = headers.map((text) => text.replace(/;t=1$/, `;t=${seconds}`));
  return at < 0 ? ['retry-after', value, ...others] : others.with(at + 1, value);
}

/** The fault of a rule, if it is one for this operation. */
function matching(
  rule: { operation: string; fault: string; parameters: string },
  operation: string,
  documented: DocumentedErrors,
): Fault | undefined {
  if ((rule.operation !== '*' && rule.operation !== operation) || !isFaultKind(rule.fault)) return undefined;
  const fault = faultOf(rule.fault, JSON.parse(rule.parameters));
  return fault && isPossible(fault, operation, documented) ? fault : undefined;
}

function isPossible({ code }: Fault, operation: string, documented: DocumentedErrors): boolean {
  return code === undefined || documented.isDocumented(operation, code);
}

/** Which of the preferences can be applied. In strict handling, all others are refused. */
function applicable(
  preferences: readonly Preference[],
  operation: string,
  now: number,
  documented: DocumentedErrors,
) {
  const isStrict = preferences.some(({ name, value }) => name === 'handling' && value === 'strict');
  let wishes: Wishes = {};
  const texts: string[] = [];
  for (const preference of preferences) {
    const wish = wishOf(preference, operation, now, documented);
    const isFirst = wish && Object.keys(wish).every((kind) => !Object.hasOwn(wishes, kind));
    if (wish && isFirst) {
      wishes = { ...wishes, ...wish };
      texts.push(preference.text);
    } else if (isStrict && preference.name !== 'handling') {
      throw new ApiError(
        'invalid_preference',
        `The preference '${preference.text.slice(0, 100)}' is unknown, or cannot be applied to this request.`,
      );
    }
  }
  return { wishes, texts };
}

function wishOf(
  { name, value, parameters }: Preference,
  operation: string,
  now: number,
  documented: DocumentedErrors,
): Wishes | undefined {
  if (name === 'now') {
    const moment = Number(parseDateTime(value) ?? Number.NaN);
    return moment >= now && moment <= LATEST_NOW ? { now: moment } : undefined;
  }
  const fault =
    name === 'code'
      ? faultOf('status', { ...retrying(parameters), code: whole(value) })
      : name === 'fault' && isFaultKind(value)
        ? faultOf(value, preferred(parameters))
        : undefined;
  return fault && isPossible(fault, operation, documented) ? { fault } : undefined;
}

type Texts = Readonly<Record<string, string>>;

/** Parameters of a preference, whose names are in small letters whatever was sent. */
function preferred(texts: Texts): Record<string, unknown> {
  const others = Object.entries(texts).filter(([name]) => !name.startsWith('retryafter'));
  return { ...Object.fromEntries(others.map(([name, text]) => [name, whole(text)])), ...retrying(texts) };
}

function retrying({ retryafter, retryafterform }: Texts): Record<string, unknown> {
  return {
    ...(retryafter !== undefined && { retryAfter: whole(retryafter) }),
    ...(retryafterform !== undefined && { retryAfterForm: retryafterform }),
  };
}

function whole(text: string): number {
  return /^\d{1,9}$/.test(text) ? Number(text) : Number.NaN;
}
