import { jsonTextAnswer } from '../http/content/json-answer.ts';
import { ApiError } from '../http/errors.ts';
import { notFound } from '../http/openapi/answers.ts';
import { answered, enumeration, errorAnswer } from '../http/openapi/document-parts.ts';
import { everyAnswer } from '../http/openapi/headers.ts';
import { int64, schemaRef } from '../http/openapi/openapi.ts';
import { operation } from '../http/openapi/operation.ts';
import { startOfDay } from '../orders/demonstration-data.ts';
import type { Quotas } from '../quotas.ts';
import { type DataSetName, dataSetNames } from './data-sets.ts';
import { jsonWithExamples, seed } from './document-parts.ts';
import { DEFAULT_ORDERS, MOST_ORDERS } from './limits.ts';
import { readReset } from './read-reset.ts';
import type { ResetStore } from './reset-store.ts';

const resets: Record<DataSetName, { sent: object; answered: object }> = {
  default: { sent: {}, answered: { seed: 1, orders: 40, pets: 12 } },
  empty: { sent: {}, answered: { seed: 1, orders: 0, pets: 0 } },
  int64: { sent: { seed: 7 }, answered: { seed: 7, orders: 9, pets: 9 } },
  large: { sent: { seed: 7, orders: 500 }, answered: { seed: 7, orders: 500, pets: 12 } },
};

interface Services {
  readonly resetStore: ResetStore;
  readonly quotas: Quotas;
  readonly clock: () => number;
}

export const resetSandbox = operation({
  operationId: 'resetSandbox',
  at: 'POST /sandbox/reset',
  stability: 'experimental',
  tag: 'sandbox',
  summary: 'Reset the store',
  description:
    'Replaces everything in the store in one change: nobody sees half of it. Idempotency keys and armed faults are forgotten, keys keep working, the revision goes on growing. The same data set, seed and `today` make the same orders and pets, byte for byte. Answered when all of it is there. Of a store, one reset is made at a time, and eight with more than 1,000 orders in all: 503 to the others. One whose client has left is given up.',
  body: {
    read: (body) => body,
    content: jsonWithExamples(schemaRef('ResetInput'), dataSetNames, (dataSet) => ({
      dataSet,
      ...resets[dataSet].sent,
    })),
  },
  answers: {
    ...notFound,
    200: {
      description: 'The store is reset.',
      headers: everyAnswer,
      ...jsonWithExamples(schemaRef('StoreReset'), dataSetNames, (dataSet) => ({
        dataSet,
        ...resets[dataSet].answered,
        revision: 18,
      })),
    },
    409: errorAnswer('More orders than a store may have.', ['order_limit_reached']),
  },
  handle:
    ({ resetStore, quotas, clock }: Services) =>
    async ({ request, caller, body }) => {
      const set = readReset(body, startOfDay(clock()));
      if (set.dataSet === 'large' && set.orders > quotas.orders) throw new ApiError('order_limit_reached');
      const hasLeft = () => request.raw.socket.destroyed;
      const { orders, pets, revision } = await resetStore(caller, set, hasLeft);
      return jsonTextAnswer(
        request,
        `{"dataSet":"${set.dataSet}","seed":${set.seed},"orders":${orders},"pets":${pets},"revision":${revision}}`,
      );
    },
});

const orders = {
  type: 'integer',
  format: 'int32',
  minimum: 1,
  maximum: Number(MOST_ORDERS),
  // No `default`: generated clients would send it with every data set, and it is for one alone.
  description: `How many orders a \`large\` store has, ${DEFAULT_ORDERS} unless given; only with \`large\`.`,
  examples: [500],
};

const today = {
  type: 'string',
  format: 'date',
  description: 'The day that dates are counted from, at 00:00 UTC; by default the present one.',
  examples: ['2026-11-16'],
};

export const resetSchemas = {
  DataSet: enumeration(
    'What a store holds after a reset. `default`: the demonstration data. `empty`: nothing. `int64`: orders and pets with the ids that clients get wrong. `large`: as many orders as you like.',
    dataSetNames,
    ['DEMONSTRATION', 'EMPTY', 'HARD_IDS', 'LARGE'],
  ),
  ResetInput: {
    type: 'object',
    description: 'What to fill the store with. It has no other fields.',
    additionalProperties: false,
    required: ['dataSet'],
    properties: { dataSet: schemaRef('DataSet'), seed, orders, today },
  },
  StoreReset: answered('What the store holds now.', {
    dataSet: schemaRef('DataSet'),
    seed,
    orders: { ...int64, minimum: 0, description: 'How many orders.', examples: [9] },
    pets: { ...int64, minimum: 0, description: 'How many pets.', examples: [9] },
    revision: { ...int64, description: 'The revision of the store from which on it is so.', examples: [18] },
  }),
};
