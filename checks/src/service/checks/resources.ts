import type { Suite } from '../check.ts';
import type { Context, Pet } from '../context.ts';
import { ensure, equal, expectError, jsonOf } from '../expect.ts';
import { alteredKey } from '../invalid-keys.ts';
import { cancel, missingId, type Order, orderFields } from '../orders.ts';

const maxInt64 = 2n ** 63n - 1n;
const isInt64 = (value: unknown) => typeof value === 'bigint' && value >= 0n && value <= maxInt64;
const isUtcMilliseconds = (text: string) => {
  const time = new Date(text);
  return !Number.isNaN(time.getTime()) && time.toISOString() === text;
};

export function resourceChecks(suite: Suite, context: Context): void {
  orderChecks(suite, context);
  errorChecks(suite, context);
  petChecks(suite, context);
}

function orderChecks(suite: Suite, { orders, pets }: Context): void {
  const { documented } = suite.section('v1.order', 'Resources and their fields: Order');
  const every = async (expected: string, test: (order: Order) => boolean) => {
    for (const order of (await orders.list()).orders) ensure(test(order), expected, order);
  };

  documented(
    'five-fields',
    'an Order is a “JSON object” with exactly the five fields of the table, in that order',
    async () => {
      await every('the five fields', (order) => Object.keys(order).join() === orderFields.join());
    },
  );
  documented('id', '“`id` integer int64”: a decimal integer from 1 to 2^63-1', async () => {
    await every('an int64 from 1', ({ id }) => isInt64(id) && id >= 1n);
  });
  documented('unique-id', '“Unique order identifier”: no two orders have the same `id`', async () => {
    const ids = (await orders.list()).orders.map(({ id }) => id);
    equal(new Set(ids).size, ids.length, 'the number of different ids:');
  });
  documented(
    'pet-id',
    '“`petId` integer int64: Identifier of the animal in this order”: each is one of the pets',
    async () => {
      const known = new Set((await pets()).map(({ id }) => id));
      await every('the id of a pet', ({ petId }) => isInt64(petId) && known.has(petId));
    },
  );
  documented('quantity', '“`quantity` integer: Number of units ordered”: at least 1', async () => {
    await every('a quantity of 1 or more', ({ quantity }) => isInt64(quantity) && quantity >= 1n);
  });
  documented('ship-date', '“`shipDate` string date-time (ISO 8601)”: UTC, milliseconds, `Z`', async () => {
    await every('a date such as 2026-01-31T09:30:00.000Z', ({ shipDate }) => isUtcMilliseconds(shipDate));
  });
  documented('complete', '`complete` is a boolean in every order', async () => {
    await every('a boolean', ({ complete }) => typeof complete === 'boolean');
  });
  documented(
    'no-status',
    '“Order status field: not shown in the Order record”: there is no `status`',
    async () => {
      await every('no field `status`', (order) => !('status' in order));
    },
  );
}

function errorChecks(suite: Suite, { client, orders }: Context): void {
  const { documented } = suite.section('v1.error', 'Resources and their fields: Error');

  documented(
    'three-fields',
    'an Error is a “JSON object. All three fields are required”: a 401 has exactly these',
    async () => {
      expectError(await client.send({ path: '/store/orders', key: alteredKey(client.key) }), 401);
    },
  );
  documented(
    'types',
    '“`code` string”, “`message` string”, “`status` integer”: a 404 has exactly these',
    async () => {
      expectError(await cancel(client, missingId), 404);
    },
  );
  documented('status', '“`status`: The HTTP status code”: 409 repeats it', async () => {
    expectError(await cancel(client, (await orders.delivered()).id), 409);
  });
}

function petChecks(suite: Suite, { client, pets }: Context): void {
  const { documented } = suite.section('v1.pet', 'Resources and their fields: Pet');
  const every = async (expected: string, test: (pet: Pet) => boolean) => {
    for (const pet of await pets()) ensure(test(pet), expected, pet);
  };
  const isNonEmptyText = (value: unknown) => typeof value === 'string' && value !== '';

  documented(
    'four-fields',
    'a Pet has exactly `id`, `name`, `category` and `status`, in that order',
    async () => {
      await every('four fields', (pet) => Object.keys(pet).join() === 'id,name,category,status');
    },
  );
  documented('id', '`id` is an int64 from 1', async () => {
    await every('an int64 from 1', ({ id }) => isInt64(id) && (id as bigint) >= 1n);
  });
  documented('text', '`name` and `category` are non-empty text', async () => {
    await every(
      'a name and a category',
      ({ name, category }) => isNonEmptyText(name) && isNonEmptyText(category),
    );
  });
  documented('status', '`status` is `available` or `sold`', async () => {
    await every('`available` or `sold`', ({ status }) => status === 'available' || status === 'sold');
  });
  documented('same-in-list', '`GET /pets/{petId}` returns each pet as `GET /pets` does', async () => {
    for (const pet of await pets()) {
      equal(jsonOf(await client.send({ path: `/pets/${pet.id}` })), pet, 'the pet');
    }
  });
}
