import type { Connection } from '../database/engine.ts';
import { answered, enumeration } from '../http/openapi/document-parts.ts';
import { everyAnswer } from '../http/openapi/headers.ts';
import { int64Schema, schemaRef } from '../http/openapi/openapi.ts';
import { findFaults } from './armed-faults.ts';
import { jsonWithExamples, seedSchema } from './document-parts.ts';
import { type FaultKind, faultKinds, faultNames, parametersOf } from './fault-kinds.ts';
import { MOST_FAULTS, MOST_MS, MOST_RETRY_AFTER, MOST_TIMES } from './limits.ts';

/** How faults are shown and documented. */

/** The armed faults of a store, in their order. */
export async function writeFaults(db: Connection, storeId: bigint, now: number): Promise<string> {
  const faults = await db.all(findFaults, { storeId, now: BigInt(now) });
  return `[${faults
    .map(
      ({ operation, fault, parameters, times, probability, seed, fired }) =>
        `{"operation":"${operation}","fault":"${fault}","parameters":${parameters},"times":${times},` +
        `"probability":${probability},"seed":${seed},"fired":${fired}}`,
    )
    .join()}]`;
}

const shownParameters = { code: { code: 503 }, ms: { ms: 2000 } };
const shownRule = (kind: FaultKind) => ({
  operation: 'v2.placeOrder',
  fault: kind,
  parameters: { ...shownParameters[parametersOf(kind)[0] as keyof typeof shownParameters] },
  times: 1,
  probability: 1,
  seed: 1,
});

const faultList = (schema: string) => ({
  type: 'array',
  items: schemaRef(schema),
  maxItems: MOST_FAULTS,
  description: 'In their order: the first that fires wins.',
});

export const faultsBody = jsonWithExamples(faultList('FaultInput'), faultNames, (kind) => [shownRule(kind)]);

export const armedAnswer = (description: string) => ({
  description,
  headers: everyAnswer,
  ...jsonWithExamples(faultList('ArmedFault'), faultNames, (kind) => [{ ...shownRule(kind), fired: 0 }]),
});

const parameters = {
  code: {
    type: 'integer',
    format: 'int32',
    minimum: 400,
    maximum: 599,
    description: 'Of `status`: the status of an error that the operation documents.',
    examples: [503],
  },
  ms: {
    type: 'integer',
    format: 'int32',
    minimum: 0,
    maximum: MOST_MS,
    description: 'Of `delay` and `slow`: how long, in milliseconds.',
    examples: [2000],
  },
  retryAfter: {
    type: 'integer',
    format: 'int32',
    minimum: 0,
    maximum: MOST_RETRY_AFTER,
    description: 'Of `status`: the seconds that `Retry-After` asks to wait, 1 by default.',
    examples: [5],
  },
  retryAfterForm: {
    type: 'string',
    minLength: 4,
    maxLength: 7,
    pattern: '^(seconds|date)$',
    description: 'Of `status`: whether `Retry-After` has `seconds`, as by default, or a `date`.',
    examples: ['date'],
  },
};

const ruleOf = (parametersSchema: string) => ({
  operation: {
    type: 'string',
    minLength: 1,
    maxLength: 64,
    description:
      'Which requests: the version and the operationId, such as `v1.cancelOrder`, or `*` for all but those of the sandbox.',
    examples: ['v1.cancelOrder'],
  },
  fault: schemaRef('FaultKind'),
  parameters: schemaRef(parametersSchema),
  times: {
    type: ['integer', 'null'],
    format: 'int32',
    minimum: 1,
    maximum: Number(MOST_TIMES),
    description: 'How often it fires; null for always.',
    default: 1,
    examples: [1],
  },
  probability: {
    type: 'number',
    minimum: 0,
    maximum: 1,
    description: 'How likely it fires for a request; drawn from the seed.',
    default: 1,
    examples: [0.5],
  },
  seed: { ...seedSchema('What is drawn from: the same seed fails the same requests.').schema, examples: [7] },
});

export const faultSchemas = {
  FaultKind: enumeration(
    `What the client sees. ${faultNames.map((name) => `\`${name}\`: ${faultKinds[name].means}.`).join(' ')}`,
    faultNames,
    faultNames.map((name) => `FAULT_${name.toUpperCase().replace('-', '_')}`),
  ),
  FaultInput: {
    type: 'object',
    description: 'A fault to arm. It has no other fields.',
    additionalProperties: false,
    required: ['operation', 'fault'],
    properties: ruleOf('FaultParameters'),
  },
  FaultParameters: {
    type: 'object',
    description: 'What the fault takes, and no other fields.',
    additionalProperties: false,
    properties: parameters,
    examples: [{ code: 503 }],
  },
  ArmedFault: answered('A fault that is armed.', {
    ...ruleOf('ArmedFaultParameters'),
    fired: { ...int64Schema, minimum: 0, description: 'How often it has fired.', examples: [0] },
  }),
  ArmedFaultParameters: {
    type: 'object',
    description: 'What the fault takes. Further fields may come: pass over those you do not know.',
    properties: parameters,
    examples: [{ code: 503 }],
  },
};
