import {
  dataSets,
  inputLimits,
  orderSorts,
  orderStatuses,
} from '../../console/src/api/contract.generated.ts';
import type { Flags } from './command-group.ts';

/** The store to call, and the output format. */
export const storeFlags = {
  url: {
    value: 'URL',
    help: 'Base URL of the service (default http://127.0.0.1:8080/v1, or port 8081 with a staging key)',
  },
  key: { value: 'KEY', help: 'API key of the store', secret: true },
  profile: { value: 'NAME', help: 'Saved profile to use (default: default)' },
  json: { help: 'Print JSON, with exact integers', variable: false },
} as const satisfies Flags;

const only = (value: string, help: string, choices?: readonly string[]) =>
  choices ? { value, help, variable: false, choices } : { value, help, variable: false };

const page = {
  limit: only('N', 'Maximum number of results (default 50)'),
  all: { help: 'Return all results', variable: false },
};

export const orderListFlags = {
  status: only('STATUS', `Filter by status: ${orderStatuses.join(', ')} (comma-separated)`, orderStatuses),
  pet: only('PET_ID', 'Filter by pet'),
  complete: { help: 'Only complete orders; --no-complete for incomplete ones', variable: false },
  from: only('DATE', 'Ship date at or after this time, such as 2026-12-01T00:00:00Z'),
  to: only('DATE', 'Ship date before this time'),
  sort: only('ORDER', `Sort by ${orderSorts.join(', ')} (default -id: newest first)`, orderSorts),
  ...page,
} satisfies Flags;

export const placeFlags = {
  pet: { ...only('PET_ID', 'Pet to order'), required: true },
  quantity: only('N', 'Number of units (default 1)'),
  'ship-date': only('DATE', 'Ship date, such as 2026-12-01T08:00:00Z (default: in three days)'),
  'idempotency-key': only(
    'TEXT',
    'Idempotency key; reuse it to retry without placing a second order (default: random)',
  ),
} satisfies Flags;

export const petListFlags = {
  category: only('TEXT', 'Filter by category, such as dog'),
  status: only('STATUS', 'Filter by status: available or sold', ['available', 'sold']),
  ...page,
} satisfies Flags;

export const petFlags = {
  name: { ...only('TEXT', 'Name'), required: true },
  category: { ...only('TEXT', 'Category, such as dog'), required: true },
  stock: only('N', 'Units in stock (default 0)'),
} satisfies Flags;

export const petChangeFlags = {
  name: only('TEXT', 'Name'),
  category: only('TEXT', 'Category, such as dog'),
  stock: only('N', 'Units in stock'),
} satisfies Flags;

const { minimum, maximum } = inputLimits.expiresIn;

export const contentFlags = {
  'data-set': only('NAME', `Data set: ${dataSets.join(', ')} (default: default)`, dataSets),
  seed: only('N', 'Seed for reproducible data (default 1)'),
  orders: only('N', 'Number of orders, with the data set large (default 10000)'),
  today: only('DAY', 'Reference date for generated dates, such as 2026-11-16 (default: today)'),
  data: only('FILE', 'JSON file with custom data instead of a data set: {"pets":[…],"orders":[…]}'),
} satisfies Flags;

export const newStoreFlags = {
  ...contentFlags,
  'expires-in': only('SECONDS', `Lifetime of the store and its key, ${minimum} to ${maximum} (default 3600)`),
} satisfies Flags;

export const faultFlags = {
  code: only('STATUS', 'HTTP status to return (fault: status)'),
  ms: only('N', 'Duration in milliseconds (faults: delay, slow)'),
  'retry-after': only('SECONDS', 'Value of Retry-After (fault: status; default 1)'),
  'retry-after-form': only('FORM', 'Format of Retry-After: seconds or date (default seconds)', [
    'seconds',
    'date',
  ]),
  times: only('N', 'How many times the fault fires, or always (default 1)'),
  probability: only('P', 'Probability that the fault fires, from 0 to 1 (default 1)'),
  seed: only('N', 'Seed for reproducible failures'),
} satisfies Flags;

export const watchFlags = {
  after: {
    value: 'ID',
    help: 'Start after this event; 0 for the oldest available (default: new events only)',
  },
} satisfies Flags;

export const listenFlags = {
  'forward-to': {
    value: 'URL',
    help: 'URL to post each event to, such as http://localhost:3000/hook',
    required: true,
  },
  secret: {
    value: 'SECRET',
    help: 'Signing secret, whsec_… (default: a new secret, which is printed)',
    variable: false,
  },
  types: only('TYPES', 'Event types to forward (comma-separated; default: all)'),
  ...watchFlags,
} satisfies Flags;
