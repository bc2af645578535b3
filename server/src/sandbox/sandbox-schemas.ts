import { answered, enumeration } from '../http/openapi/document-parts.ts';
import { int64, schemaRef } from '../http/openapi/openapi.ts';
import { dataSetNames } from './data-sets.ts';
import { faultKinds, faultNames } from './fault-kinds.ts';
import { DEFAULT_ORDERS, MOST_MS, MOST_ORDERS, MOST_TIMES } from './limits.ts';

const orders = {
  type: 'integer',
  format: 'int32',
  minimum: 1,
  maximum: Number(MOST_ORDERS),
  // No `default`: generated clients would send it with every data set, and it is for one alone.
  description: `How many orders a \`large\` store has, ${DEFAULT_ORDERS} unless given; only with \`large\`.`,
  examples: [500],
};
const seed = { ...int64, description: 'What random choices are drawn from.', default: 1, examples: [7] };

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
  seed: { ...seed, description: 'What is drawn from: the same seed fails the same requests.' },
});

/** The schemas of the sandbox. */
export const sandboxSchemas = {
  DataSet: enumeration(
    'What a store holds after a reset. `default`: the demonstration data. `empty`: nothing. `int64`: orders and pets with the ids that clients get wrong. `large`: as many orders as you like.',
    dataSetNames,
    ['DEMONSTRATION', 'EMPTY', 'HARD_IDS', 'LARGE'],
  ),
  FaultKind: enumeration(
    `What the client sees. ${faultNames.map((name) => `\`${name}\`: ${faultKinds[name].means}.`).join(' ')}`,
    faultNames,
    faultNames.map((name) => `FAULT_${name.toUpperCase().replace('-', '_')}`),
  ),
  ResetInput: {
    type: 'object',
    description: 'What to fill the store with. It has no other fields.',
    additionalProperties: false,
    required: ['dataSet'],
    properties: { dataSet: schemaRef('DataSet'), seed, orders },
  },
  StoreReset: answered('What the store holds now.', {
    dataSet: schemaRef('DataSet'),
    seed,
    orders: { ...int64, minimum: 0, description: 'How many orders.', examples: [9] },
    pets: { ...int64, minimum: 0, description: 'How many pets.', examples: [9] },
    revision: { ...int64, description: 'The revision of the store from which on it is so.', examples: [18] },
  }),
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
    fired: { ...int64, minimum: 0, description: 'How often it has fired.', examples: [0] },
  }),
  ArmedFaultParameters: {
    type: 'object',
    description: 'What the fault takes. Further fields may come: pass over those you do not know.',
    properties: parameters,
    examples: [{ code: 503 }],
  },
};
