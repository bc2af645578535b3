import type { Database } from '../database/engine.ts';
import { ApiError } from '../http/errors.ts';
import { answered, enumeration, errorAnswer } from '../http/openapi/document-parts.ts';
import { int64Schema, schemaRef, utcDateTime } from '../http/openapi/openapi.ts';
import type { Caller } from '../http/server/caller.ts';
import type { Quotas } from '../quotas.ts';
import { type Contents, dataSetNames, extentOf } from './data-sets.ts';
import { jsonWithExamples, seed } from './document-parts.ts';
import type { Filled, StoreFiller } from './fill-store.ts';
import {
  DEFAULT_ORDERS,
  LONGEST_STORE,
  MOST_ORDERS,
  MOST_OWN_BYTES,
  SHORTEST_STORE,
  USUAL_STORE,
} from './limits.ts';
import { ordersBeside } from './open-beside.ts';
import { ownData } from './own-data-fields.ts';

/** How what a store is filled with is taken, shown and documented: by a reset, and by opening one. */

export interface ContentsServices {
  readonly db: Database;
  readonly clock: () => number;
  readonly quotas: Quotas;
  readonly filler: StoreFiller;
}

/** Stores that were opened beside another have as many orders as a store may have, all of them together. */
export async function refuseOrdersBeyond(
  { db, clock, quotas }: ContentsServices,
  { tenantId, storeId: except }: Caller,
  contents: Contents,
): Promise<void> {
  const [others] = await db.all(ordersBeside, { tenantId, except, at: BigInt(clock()) });
  const all = (others?.count ?? 0n) + extentOf(contents).orders;
  if (all > quotas.orders) throw new ApiError('order_limit_reached');
}

export function writeFilled({ dataSet, seed }: Contents, { orders, pets, revision }: Filled): string {
  return `"dataSet":"${dataSet}","seed":${seed},"orders":${orders},"pets":${pets},"revision":${revision}`;
}

export const contentNames = [...dataSetNames, 'own'] as const;
const filled = (dataSet: string, seed: number | null, orders: number, pets: number) => ({
  dataSet,
  seed,
  orders,
  pets,
  revision: 18,
});
export const shownContents: Record<(typeof contentNames)[number], { sent: object; answered: object }> = {
  default: { sent: { dataSet: 'default' }, answered: filled('default', 1, 40, 12) },
  empty: { sent: { dataSet: 'empty' }, answered: filled('empty', 1, 0, 0) },
  int64: { sent: { dataSet: 'int64', seed: 7 }, answered: filled('int64', 7, 9, 9) },
  large: { sent: { dataSet: 'large', seed: 7, orders: 500 }, answered: filled('large', 7, 500, 12) },
  own: { sent: { data: ownData }, answered: filled('own', null, 1, 1) },
};

export const contentsBody = (schema: string) => ({
  read: (body: unknown) => body,
  content: jsonWithExamples(schemaRef(schema), contentNames, (name) => shownContents[name].sent),
  mostBytes: MOST_OWN_BYTES,
});

export const contentsAnswers = {
  409: errorAnswer('More pets or orders than a store may have.', [
    'order_limit_reached',
    'pet_limit_reached',
  ]),
  422: errorAnswer('The data cannot be that of a store.', ['invalid_data']),
};

const properties = {
  dataSet: schemaRef('DataSet'),
  seed,
  orders: {
    type: 'integer',
    format: 'int32',
    minimum: 1,
    maximum: Number(MOST_ORDERS),
    // No `default`: generated clients would send it with every data set, and it is for one alone.
    description: `How many orders a \`large\` store has, ${DEFAULT_ORDERS} unless given; only with \`large\`.`,
    examples: [500],
  },
  today: {
    type: 'string',
    minLength: 10,
    maxLength: 10,
    pattern: '^[0-9]{4}-[0-9]{2}-[0-9]{2}$',
    description: 'The day that dates are counted from, at 00:00 UTC; by default the present one.',
    examples: ['2026-11-16'],
  },
  data: schemaRef('OwnData'),
};

const contents = (description: string, more: object = {}) => ({
  type: 'object',
  description: `${description} Either a data set or \`data\` of your own. It has no other fields.`,
  additionalProperties: false,
  properties: { ...properties, ...more },
});

const told = {
  dataSet: schemaRef('FilledWith'),
  seed: {
    type: ['integer', 'null'],
    format: 'int64',
    description: 'Null for data of your own.',
    examples: [7],
  },
  orders: { ...int64Schema, minimum: 0, description: 'How many orders.', examples: [9] },
  pets: { ...int64Schema, minimum: 0, description: 'How many pets.', examples: [9] },
  revision: {
    ...int64Schema,
    description: 'The revision of the store from which on it is so.',
    examples: [18],
  },
};

export const contentsSchemas = {
  DataSet: enumeration(
    'What a store holds after a reset. `default`: the demonstration data. `empty`: nothing. `int64`: orders and pets with the ids that clients get wrong. `large`: as many orders as you like.',
    dataSetNames,
    ['DEMONSTRATION', 'EMPTY', 'HARD_IDS', 'LARGE'],
  ),
  FilledWith: enumeration('The data set that a store was filled with, or `own`.', contentNames, [
    'WITH_DEMONSTRATION',
    'WITH_NOTHING',
    'WITH_HARD_IDS',
    'WITH_MANY',
    'WITH_OWN',
  ]),
  ResetInput: contents('What to fill the store with.'),
  NewStoreInput: contents('What to fill a new store with, and how long it lasts.', {
    expiresIn: {
      type: 'integer',
      format: 'int32',
      minimum: SHORTEST_STORE,
      maximum: LONGEST_STORE,
      default: Number(USUAL_STORE),
      description: 'After how many seconds the store and its key end.',
      examples: [600],
    },
  }),
  StoreReset: answered('What the store holds now.', told),
  NewStore: answered('What the new store holds, and what opens it.', {
    ...told,
    key: { type: 'string', minLength: 1, maxLength: 100, description: 'Opens it.', examples: ['pst_test_…'] },
    expiresAt: { ...utcDateTime, description: 'When both end. UTC.', examples: ['2026-12-01T10:30:00.000Z'] },
  }),
};
