import { parseDateTime } from '../http/encoding/date-time.ts';
import { ApiError } from '../http/errors.ts';
import { type BodyOf, documentBody, invalidAt, readFields, requireObject } from '../http/fields/body.ts';
import { bodyField, type Fields, integer, oneOf, optional, withDefault } from '../http/fields/field.ts';
import { countSchema, described, int64Schema, schemaRef, utcDateTime } from '../http/openapi/openapi.ts';
import { errorResponse, jsonExamples, standardHeaders } from '../http/openapi/responses.ts';
import { enumeration, responseSchema } from '../http/openapi/schemas.ts';
import { startOfDay } from '../provisioning/demonstration-data.ts';
import { customDataExample, readCustomData } from './custom-data.ts';
import { type Contents, dataSetNames, generateDataSet } from './data-sets.ts';
import { type SandboxServices, seedField } from './sandbox.ts';

const MAX_LARGE_ORDERS = 1_000_000;
const DEFAULT_LARGE_ORDERS = 10_000;
const MAX_BYTES = 4 * 1024 * 1024;
const DEFAULT_LIFETIME_SECONDS = 3_600;
/** Leaves a year for relative dates, which have to stay within four-digit years. */
const LAST_DAY = Date.parse('9998-12-31T00:00:00Z');

function parseDay(value: unknown): bigint | undefined {
  const day = typeof value === 'string' ? parseDateTime(`${value}T00:00:00Z`) : undefined;
  return day !== undefined && day >= 0n && day <= LAST_DAY ? day : undefined;
}

const rateLimitFields = {
  requests: integer([1, 1_000_000], 'Requests per window.', 10),
  seconds: integer([1, 86_400], 'Length of a window.', 60),
};

const resetFields = {
  dataSet: optional(oneOf('', schemaRef('DataSet'), dataSetNames)),
  seed: optional(seedField('Random seed.')),
  // Not `default`: generated clients would send it with every data set.
  orders: optional(
    integer(
      [1, MAX_LARGE_ORDERS],
      `Number of orders; only with \`large\`. ${DEFAULT_LARGE_ORDERS} by default.`,
      500,
    ),
  ),
  today: optional(
    bodyField(
      {
        type: 'string',
        minLength: 10,
        maxLength: 10,
        pattern: '^[0-9]{4}-[0-9]{2}-[0-9]{2}$',
        description:
          'All dates are relative to 00:00 UTC of this day, from 1970-01-01 to 9998-12-31. Today by default.',
      },
      'a day from 1970-01-01 to 9998-12-31, such as 2026-11-16',
      parseDay,
      '2026-11-16',
    ),
  ),
  data: optional(bodyField(schemaRef('OwnData'), 'a JSON object', (value) => requireObject(value, 'data'))),
  rateLimit: optional(
    bodyField(schemaRef('StoreRateLimit'), 'an object or null', (value) =>
      value === null ? null : readFields(rateLimitFields, value, { place: 'rateLimit' }),
    ),
  ),
};

const newStoreFields = {
  ...resetFields,
  expiresIn: withDefault(
    integer([60, 86_400], 'Lifetime of the store and its key, in seconds.', 600, {
      default: DEFAULT_LIFETIME_SECONDS,
    }),
    BigInt(DEFAULT_LIFETIME_SECONDS),
  ),
};

export async function readContents(
  { clock, quotas }: SandboxServices,
  body: Omit<BodyOf<typeof resetFields>, 'rateLimit'>,
) {
  const { data, today, ...options } = body;
  const contents =
    data === undefined
      ? readDataSet({ today: today ?? startOfDay(clock()), ...options })
      : await readCustomData(data, { today, now: clock() });
  const { dataSet, orderCount, pets } = contents;
  const [option] = Object.keys(options);
  if (dataSet === 'own' && option !== undefined)
    throw invalidAt('invalid_body', option, "cannot be combined with 'data'");
  if ((dataSet === 'large' || dataSet === 'own') && orderCount > quotas.orders)
    throw new ApiError('order_limit_reached');
  if (dataSet === 'own' && pets.length > quotas.pets) throw new ApiError('pet_limit_reached');
  return contents;
}

type Options = Omit<BodyOf<typeof resetFields>, 'data' | 'rateLimit' | 'today'> & { today: bigint };

function readDataSet(options: Options): Contents {
  const { dataSet, seed = 1n, orders, today } = options;
  if (dataSet === undefined)
    throw invalidAt(
      'invalid_body',
      'dataSet',
      `must be one of ${dataSetNames.join(', ')}, unless 'data' is sent`,
    );
  if (orders !== undefined && dataSet !== 'large')
    throw invalidAt('invalid_body', 'orders', "is only allowed with the data set 'large'");
  const rows = generateDataSet[dataSet]({ seed, orders: Number(orders ?? DEFAULT_LARGE_ORDERS), today });
  return { dataSet, seed, ...rows };
}

export function writeContents({ dataSet, seed, orderCount, pets }: Contents, revision: bigint): string {
  return `"dataSet":"${dataSet}","seed":${seed},"orders":${orderCount},"pets":${pets.length},"revision":${revision}`;
}

const examples = {
  default: { sent: { dataSet: 'default' }, expected: { seed: 1, orders: 40, pets: 12 } },
  empty: { sent: { dataSet: 'empty' }, expected: { seed: 1, orders: 0, pets: 0 } },
  int64: { sent: { dataSet: 'int64', seed: 7 }, expected: { seed: 7, orders: 9, pets: 9 } },
  large: { sent: { dataSet: 'large', seed: 7, orders: 500 }, expected: { seed: 7, orders: 500, pets: 12 } },
  own: { sent: { data: customDataExample }, expected: { seed: null, orders: 1, pets: 1 } },
};
const contentNames = [...dataSetNames, 'own'] as const;

const contentsBody = <F extends Fields>(schema: string, fields: F) => ({
  read: (body: unknown) => readFields(fields, body),
  content: jsonExamples(schemaRef(schema), contentNames, (name) => examples[name].sent),
  maxBytes: MAX_BYTES,
});
export const resetBody = contentsBody('ResetInput', resetFields);
export const newStoreBody = contentsBody('NewStoreInput', newStoreFields);

export const contentsResponses = (
  status: number,
  description: string,
  schema: string,
  more: object = {},
) => ({
  [status]: {
    description,
    headers: standardHeaders,
    ...jsonExamples(schemaRef(schema), contentNames, (name) => ({
      dataSet: name,
      ...examples[name].expected,
      revision: 18,
      ...more,
    })),
  },
  409: errorResponse('The data exceeds the limit for pets or orders.', [
    'order_limit_reached',
    'pet_limit_reached',
  ]),
  422: errorResponse('The data is inconsistent.', ['invalid_data']),
});

const EITHER =
  'Send either a data set or your own `data`; `seed` and `orders` require a data set. Accepts no other fields.';

const contentsFields = {
  dataSet: schemaRef('FilledWith'),
  seed: described(
    { type: ['integer', 'null'], format: 'int64' },
    'The seed of the data set; null for your own data.',
    7,
  ),
  orders: countSchema('Number of orders.', 9),
  pets: countSchema('Number of pets.', 9),
  revision: described(int64Schema, 'The revision of the store after this change.', 18),
};

export const contentsSchemas = {
  DataSet: enumeration(
    'Contents of the store after a reset. `default`: the demonstration data. `empty`: nothing. `int64`: orders and pets with ids that clients often get wrong. `large`: a chosen number of orders.',
    dataSetNames,
    ['DEMONSTRATION', 'EMPTY', 'INT64_IDS', 'LARGE'],
  ),
  // The published name of the type of `dataSet`: what the store was filled with.
  FilledWith: enumeration('The data set in the store; `own` for your own data.', contentNames, [
    'LOADED_DEMONSTRATION',
    'LOADED_EMPTY',
    'LOADED_INT64_IDS',
    'LOADED_LARGE',
    'LOADED_CUSTOM_DATA',
  ]),
  StoreRateLimit: {
    ...documentBody(rateLimitFields, 'Rate limit of this store alone; null lifts it. Unchanged by default.'),
    type: ['object', 'null'],
  },
  ResetInput: documentBody(resetFields, `New contents of the store. ${EITHER}`),
  NewStoreInput: documentBody(newStoreFields, `Contents and lifetime of the new store. ${EITHER}`),
  StoreReset: responseSchema('Contents of the store after the reset.', contentsFields),
  NewStore: responseSchema('Contents of the new store, and its API key.', {
    ...contentsFields,
    key: described(
      { type: 'string', minLength: 1, maxLength: 100 },
      'API key of the new store.',
      'pst_test_…',
    ),
    expiresAt: described(utcDateTime, 'When the store and its key expire. UTC.', '2026-12-01T10:30:00.000Z'),
  }),
};
