import type { Flags } from './place.ts';

/** Which store a command calls, and for whom it writes. */
export const storeFlags = {
  url: {
    value: 'URL',
    help: 'base address of the service (default http://127.0.0.1:8080/v1, or 8081 with a key of staging)',
  },
  key: { value: 'KEY', help: 'an API key of the store', secret: true },
  profile: { value: 'NAME', help: 'which remembered address and key to use (default: default)' },
  json: { help: 'write JSON for programs: every integer exact', variable: false },
} as const satisfies Flags;

const only = (value: string, help: string, choices?: readonly string[]) =>
  choices ? { value, help, variable: false, choices } : { value, help, variable: false };

const statuses = ['pending', 'shipped', 'delivered', 'cancelled'];

const page = {
  limit: only('N', 'how many at the most (default 50)'),
  all: { help: 'all of them', variable: false },
};

export const orderListFlags = {
  status: only('STATUS', `one or several of ${statuses.join(', ')}, separated by commas`, statuses),
  pet: only('PET_ID', 'orders of this pet'),
  complete: { help: 'complete ones; --no-complete for the others', variable: false },
  from: only('DATE', 'ship date at or after, such as 2026-12-01T00:00:00Z'),
  to: only('DATE', 'ship date before'),
  sort: only('ORDER', 'id, -id, shipDate or -shipDate (default -id: the newest first)', [
    'id',
    '-id',
    'shipDate',
    '-shipDate',
  ]),
  ...page,
} satisfies Flags;

export const placeFlags = {
  pet: { ...only('PET_ID', 'the pet to order'), required: true },
  quantity: only('N', 'how many units (default 1)'),
  'ship-date': only('DATE', 'when to ship, such as 2026-12-01T08:00:00Z (default in three days)'),
  'idempotency-key': only('TEXT', 'placing again with the same one makes no second order (default: random)'),
} satisfies Flags;

export const petListFlags = {
  category: only('TEXT', 'such as dog'),
  status: only('STATUS', 'available or sold', ['available', 'sold']),
  ...page,
} satisfies Flags;

export const petFlags = {
  name: { ...only('TEXT', 'what it is called'), required: true },
  category: { ...only('TEXT', 'what kind of animal it is, such as dog'), required: true },
  stock: only('N', 'units that can be ordered (default 0)'),
} satisfies Flags;

export const petChangeFlags = {
  name: only('TEXT', 'what it is called'),
  category: only('TEXT', 'what kind of animal it is, such as dog'),
  stock: only('N', 'units that can be ordered'),
} satisfies Flags;

const dataSets = ['default', 'empty', 'int64', 'large'];

export const contentFlags = {
  'data-set': only('NAME', `${dataSets.join(', ')} (default: default)`, dataSets),
  seed: only('N', 'the same seed gives the same data (default 1)'),
  orders: only('N', 'how many orders, with large (default 10000)'),
  today: only('DAY', 'the day that dates are counted from, such as 2026-11-16 (default: today)'),
  data: only('FILE', 'your own data instead of a data set: {"pets":[…],"orders":[…]}'),
} satisfies Flags;

export const newStoreFlags = {
  ...contentFlags,
  'expires-in': only('SECONDS', 'when the store and its key end, 60 to 86400 (default 3600)'),
} satisfies Flags;

export const faultFlags = {
  code: only('STATUS', 'the HTTP status, with the fault status'),
  ms: only('N', 'milliseconds, with delay and slow'),
  'retry-after': only('SECONDS', 'how long Retry-After asks to wait, with the fault status (default 1)'),
  'retry-after-form': only('FORM', 'whether Retry-After has seconds or a date (default seconds)', [
    'seconds',
    'date',
  ]),
  times: only('N', 'how often it fires, or always (default 1)'),
  probability: only('P', 'how likely it fires, from 0 to 1 (default 1)'),
  seed: only('N', 'the same seed fails the same requests'),
} satisfies Flags;

export const watchFlags = {
  after: {
    value: 'ID',
    help: 'begin after this event; 0 for the first (default: what happens from now on)',
  },
} satisfies Flags;

export const listenFlags = {
  'forward-to': {
    value: 'URL',
    help: 'where to post each event, such as http://localhost:3000/hook',
    required: true,
  },
  secret: {
    value: 'SECRET',
    help: 'sign with this secret, as whsec_… (default: a new one, which is shown)',
    variable: false,
  },
  types: only('TYPES', 'post events of these types alone, separated by commas (default all)'),
  ...watchFlags,
} satisfies Flags;
