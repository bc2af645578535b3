import { anyOperationAnswers, forbidden, notFound } from '../http/openapi/answers.ts';
import { bodyAnswers, errorAnswer } from '../http/openapi/document-parts.ts';
import { everyAnswer } from '../http/openapi/headers.ts';
import { schemaRef } from '../http/openapi/openapi.ts';
import { type DataSetName, dataSetNames } from './data-sets.ts';
import { type FaultKind, faultKinds, faultNames } from './fault-kinds.ts';
import { MOST_FAULTS } from './limits.ts';

export const sandboxTag = {
  name: 'sandbox',
  description: [
    'A store in any state, and failures on demand: for testing clients. Only on staging; on production these operations are 404, and preferences are ignored.',
    `One request can also ask for itself, in the form of RFC 7240: \`Prefer: fault=lost-answer\`, \`Prefer: fault=delay; ms=2000\`, \`Prefer: code=409\`, or \`Prefer: now="2030-12-06T00:00:00Z"\`, which lets it take place at that moment: forward only. What was applied is named in \`Preference-Applied\`. What cannot be is ignored; with \`handling=strict\` it is 400 \`invalid_preference\`.`,
  ].join('\n\n'),
};

const tags = [sandboxTag.name];

const resets: Record<DataSetName, { sent: object; answered: object }> = {
  default: { sent: {}, answered: { seed: 1, orders: 40, pets: 12 } },
  empty: { sent: {}, answered: { seed: 1, orders: 0, pets: 0 } },
  int64: { sent: { seed: 7 }, answered: { seed: 7, orders: 9, pets: 9 } },
  large: { sent: { seed: 7, orders: 500 }, answered: { seed: 7, orders: 500, pets: 12 } },
};

/** An example for each of these, by its name. */
const examples = <T extends string>(names: readonly T[], shownBy: (name: T) => unknown) =>
  Object.fromEntries(names.map((name) => [name, { value: shownBy(name) }]));

const jsonOf = (schema: object, shown: object) => ({
  content: { 'application/json': { schema, examples: shown } },
});

const parametersOf = (kind: FaultKind) => {
  const { parameter }: { means: string; parameter?: 'code' | 'ms' } = faultKinds[kind];
  return parameter === undefined ? {} : { code: { code: 503 }, ms: { ms: 2000 } }[parameter];
};
const ruleOf = (kind: FaultKind) => ({
  operation: 'v2.placeOrder',
  fault: kind,
  parameters: parametersOf(kind),
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
const armed = (description: string) => ({
  description,
  headers: everyAnswer,
  ...jsonOf(
    faultList('ArmedFault'),
    examples(faultNames, (kind) => [{ ...ruleOf(kind), fired: 0 }]),
  ),
});

/** The operations of the sandbox, as the document has them. */
export const sandboxPaths = {
  '/sandbox/reset': {
    post: {
      operationId: 'resetSandbox',
      'x-stability': 'experimental',
      tags,
      summary: 'Reset the store',
      description:
        'Replaces everything in the store in one change: nobody sees half of it. Idempotency keys and armed faults are forgotten, keys keep working, the revision goes on growing. The same data set and seed make the same orders and pets, byte for byte. Answered when all of it is there. Of a store, one reset is made at a time, and eight with more than 1,000 orders in all: 503 to the others. One whose client has left is given up.',
      requestBody: {
        required: true,
        ...jsonOf(
          schemaRef('ResetInput'),
          examples(dataSetNames, (dataSet) => ({ dataSet, ...resets[dataSet].sent })),
        ),
      },
      responses: {
        200: {
          description: 'The store is reset.',
          headers: everyAnswer,
          ...jsonOf(
            schemaRef('StoreReset'),
            examples(dataSetNames, (dataSet) => ({ dataSet, ...resets[dataSet].answered, revision: 18 })),
          ),
        },
        ...anyOperationAnswers,
        ...forbidden,
        ...bodyAnswers,
        ...notFound,
        409: errorAnswer('More orders than a store may have.', ['order_limit_reached']),
      },
    },
  },
  '/sandbox/faults': {
    get: {
      operationId: 'listFaults',
      'x-stability': 'experimental',
      tags,
      summary: 'List the armed faults',
      description: 'In their order, with how often each has fired.',
      responses: { 200: armed('The armed faults.'), ...anyOperationAnswers, ...notFound },
    },
    put: {
      operationId: 'armFaults',
      'x-stability': 'experimental',
      tags,
      summary: 'Arm faults',
      description:
        'Replaces those that were armed. They hold on all replicas, and end with a reset or after 24 hours. No fault touches the sandbox itself.',
      requestBody: {
        required: true,
        ...jsonOf(
          faultList('FaultInput'),
          examples(faultNames, (kind) => [ruleOf(kind)]),
        ),
      },
      responses: {
        200: armed('The faults are armed.'),
        ...anyOperationAnswers,
        ...forbidden,
        ...bodyAnswers,
        ...notFound,
      },
    },
    delete: {
      operationId: 'disarmFaults',
      'x-stability': 'experimental',
      tags,
      summary: 'Disarm all faults',
      description: 'From the next request on, nothing fails on purpose.',
      responses: {
        204: { description: 'No fault is armed.', headers: everyAnswer },
        ...anyOperationAnswers,
        ...forbidden,
        ...notFound,
      },
    },
  },
} as const;

export const sandboxOperations = ['resetSandbox', 'listFaults', 'armFaults', 'disarmFaults'] as const;
export type SandboxOperation = (typeof sandboxOperations)[number];
