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

/** A flag without an environment variable. */
export const flagOnly = (value: string, help: string, choices?: readonly string[]) =>
  choices ? { value, help, variable: false, choices } : { value, help, variable: false };

export const pageFlags = {
  limit: flagOnly('N', 'Maximum number of results (default 50)'),
  all: { help: 'Return all results', variable: false },
};

export const orderListFlags = {
  status: flagOnly(
    'STATUS',
    `Filter by status: ${orderStatuses.join(', ')} (comma-separated)`,
    orderStatuses,
  ),
  pet: flagOnly('PET_ID', 'Filter by pet'),
  complete: { help: 'Only complete orders; --no-complete for incomplete ones', variable: false },
  from: flagOnly('DATE', 'Ship date at or after this time, such as 2026-12-01T00:00:00Z'),
  to: flagOnly('DATE', 'Ship date before this time'),
  sort: flagOnly('ORDER', `Sort by ${orderSorts.join(', ')} (default -id: newest first)`, orderSorts),
  ...pageFlags,
} satisfies Flags;

export const placeFlags = {
  pet: { ...flagOnly('PET_ID', 'Pet to order'), required: true },
  quantity: flagOnly('N', 'Number of units (default 1)'),
  'ship-date': flagOnly('DATE', 'Ship date, such as 2026-12-01T08:00:00Z (default: in three days)'),
  'idempotency-key': flagOnly(
    'TEXT',
    'Idempotency key; reuse it to retry without placing a second order (default: random)',
  ),
} satisfies Flags;

export const petListFlags = {
  category: flagOnly('TEXT', 'Filter by category, such as dog'),
  status: flagOnly('STATUS', 'Filter by status: available or sold', ['available', 'sold']),
  ...pageFlags,
} satisfies Flags;

export const petFlags = {
  name: { ...flagOnly('TEXT', 'Name'), required: true },
  category: { ...flagOnly('TEXT', 'Category, such as dog'), required: true },
  stock: flagOnly('N', 'Units in stock (default 0)'),
} satisfies Flags;

export const petChangeFlags = {
  name: flagOnly('TEXT', 'Name'),
  category: flagOnly('TEXT', 'Category, such as dog'),
  stock: flagOnly('N', 'Units in stock'),
} satisfies Flags;

const { minimum, maximum } = inputLimits.expiresIn;

export const contentFlags = {
  'data-set': flagOnly('NAME', `Data set: ${dataSets.join(', ')} (default: default)`, dataSets),
  seed: flagOnly('N', 'Seed for reproducible data (default 1)'),
  orders: flagOnly('N', 'Number of orders, with the data set large (default 10000)'),
  today: flagOnly('DAY', 'Reference date for generated dates, such as 2026-11-16 (default: today)'),
  data: flagOnly('FILE', 'JSON file with custom data instead of a data set: {"pets":[…],"orders":[…]}'),
} satisfies Flags;

export const newStoreFlags = {
  ...contentFlags,
  'expires-in': flagOnly(
    'SECONDS',
    `Lifetime of the store and its key, ${minimum} to ${maximum} (default 3600)`,
  ),
} satisfies Flags;

export const faultFlags = {
  code: flagOnly('STATUS', 'HTTP status to return (fault: status)'),
  ms: flagOnly('N', 'Duration in milliseconds (faults: delay, slow)'),
  'retry-after': flagOnly('SECONDS', 'Value of Retry-After (fault: status; default 1)'),
  'retry-after-form': flagOnly('FORM', 'Format of Retry-After: seconds or date (default seconds)', [
    'seconds',
    'date',
  ]),
  times: flagOnly('N', 'How many times the fault fires, or always (default 1)'),
  probability: flagOnly('P', 'Probability that the fault fires, from 0 to 1 (default 1)'),
  seed: flagOnly('N', 'Seed for reproducible failures'),
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
  types: flagOnly('TYPES', 'Event types to forward (comma-separated; default: all)'),
  ...watchFlags,
} satisfies Flags;
