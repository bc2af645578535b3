import { invalidBody, objectWith } from '../http/fields/body.ts';
import type { ArmedFault } from './armed-faults.ts';
import type { DocumentedErrors } from './documented-errors.ts';
import { faultNames, faultOf, isFaultKind, parametersOf } from './fault-kinds.ts';
import { MOST_FAULTS, MOST_MS, MOST_RETRY_AFTER, MOST_TIMES } from './limits.ts';

const fields = ['operation', 'fault', 'parameters', 'times', 'probability', 'seed'];

/** The faults to arm. */
export function readFaults(body: unknown, documented: DocumentedErrors): ArmedFault[] {
  if (!Array.isArray(body)) throw invalidBody('it must be a JSON array');
  if (body.length > MOST_FAULTS) throw invalidBody(`it must have at most ${MOST_FAULTS} faults`);
  return body.map((rule, index) => readFault(rule, `fault ${index + 1}`, documented));
}

function readFault(rule: unknown, what: string, documented: DocumentedErrors): ArmedFault {
  const {
    operation,
    fault,
    parameters = {},
    times = 1n,
    probability = 1,
    seed = 1n,
  } = objectWith(fields, rule, what);
  if (typeof operation !== 'string' || (operation !== '*' && !documented.operationNames.includes(operation)))
    throw invalidBody(
      `'operation' of ${what} must be '*', or a version and an operationId such as v1.cancelOrder`,
    );
  if (typeof fault !== 'string' || !isFaultKind(fault))
    throw invalidBody(`'fault' of ${what} must be one of ${faultNames.join(', ')}`);
  const taken = parametersOf(fault);
  const values = objectWith(taken, parameters, `'parameters' of ${what}`);
  const given = Object.fromEntries(
    Object.entries(values).map(([name, value]) => [
      name,
      typeof value === 'string' ? value : numberOf(value),
    ]),
  );
  const found = faultOf(fault, given);
  if (!found || (found.code !== undefined && !documented.isDocumented(operation, found.code)))
    throw invalidBody(`'parameters' of ${what} must have ${needed[taken[0] as keyof typeof needed]}`);
  if (times !== null && (typeof times !== 'bigint' || times < 1n || times > MOST_TIMES))
    throw invalidBody(`'times' of ${what} must be null or an integer from 1 to ${MOST_TIMES}`);
  const share = numberOf(probability);
  if (!(share >= 0 && share <= 1)) throw invalidBody(`'probability' of ${what} must be a number from 0 to 1`);
  if (typeof seed !== 'bigint') throw invalidBody(`'seed' of ${what} must be an integer of 64 bits`);
  return { operation, fault, parameters: JSON.stringify(given), times, probability: share, seed };
}

const needed = {
  code: `a 'code' that is the status of an error that the operation documents, and may have 'retryAfter', an integer from 0 to ${MOST_RETRY_AFTER}, and 'retryAfterForm', seconds or date`,
  ms: `'ms', an integer from 0 to ${MOST_MS}`,
};

function numberOf(value: unknown): number {
  return typeof value === 'bigint' || typeof value === 'number' ? Number(value) : Number.NaN;
}
