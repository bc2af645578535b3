import { InvalidRequestError, type OrderFilter } from '../../client/src/index.ts';
import { type OrderStatus, orderStatuses } from './api/store.ts';

/** The query parameters of the order list, named as in the API. */
export type SearchParameter =
  | 'status'
  | 'petId'
  | 'complete'
  | 'shipDateFrom'
  | 'shipDateTo'
  | 'sort'
  | 'limit'
  | 'cursor';

const parameters: readonly SearchParameter[] = [
  'status',
  'petId',
  'complete',
  'shipDateFrom',
  'shipDateTo',
  'sort',
  'limit',
  'cursor',
];
const filters: readonly SearchParameter[] = ['status', 'petId', 'complete', 'shipDateFrom', 'shipDateTo'];

export const DEFAULT_SORT = '-id';
export const DEFAULT_LIMIT = '25';

/** A repeated parameter equals its comma-separated values, as in the API. */
const valuesOf = (given: URLSearchParams, name: SearchParameter) => given.getAll(name).join(',');

/** The query string for the API: newest orders first by default. */
export function apiSearch(search: string): string {
  const given = new URLSearchParams(search);
  const api = new URLSearchParams({ sort: DEFAULT_SORT, limit: DEFAULT_LIMIT });
  for (const name of parameters) {
    const value = valuesOf(given, name);
    if (value) api.set(name, value);
  }
  return readableQuery(api);
}

/** Converts a query string to a client filter. Rejects a `petId` that is not an integer; the service rejects all other invalid values. */
export function filterOf(search: string): OrderFilter {
  const { petId, limit, ...texts } = Object.fromEntries(new URLSearchParams(search));
  if (petId !== undefined && !/^-?\d+$/.test(petId)) {
    const message = `The parameter 'petId' must be an integer; got '${petId}'.`;
    throw new InvalidRequestError(message, { code: 'invalid_parameter', status: 400 });
  }
  return {
    ...(texts as OrderFilter),
    petId: petId === undefined ? undefined : BigInt(petId),
    limit: limit === undefined ? undefined : Number(limit),
  };
}

/** The path with some parameters changed, starting at the first page. */
export function withParameters(search: string, changes: Partial<Record<SearchParameter, string>>): string {
  const params = new URLSearchParams(search);
  params.delete('cursor');
  for (const [name, value] of Object.entries(changes)) {
    if (value) params.set(name, value);
    else params.delete(name);
  }
  if (params.get('sort') === DEFAULT_SORT) params.delete('sort');
  if (params.get('limit') === DEFAULT_LIMIT) params.delete('limit');
  const text = readableQuery(params);
  return text ? `/orders?${text}` : '/orders';
}

/** Leaves commas and colons unescaped, to keep URLs readable. */
function readableQuery(params: URLSearchParams): string {
  return params.toString().replaceAll('%2C', ',').replaceAll('%3A', ':');
}

export function statusesOf(search: string): readonly OrderStatus[] {
  const given = valuesOf(new URLSearchParams(search), 'status').split(',');
  return orderStatuses.filter((status) => given.includes(status));
}

export function countFilters(search: string): number {
  const given = new URLSearchParams(search);
  return filters.filter((name) => given.get(name)).length;
}

/** Only the filters of a search, without sort order and page. */
export function filtersOnly(search: string): string {
  const given = new URLSearchParams(search);
  return readableQuery(
    new URLSearchParams(
      filters.flatMap((name) => [[name, valuesOf(given, name)]]).filter(([, value]) => value !== ''),
    ),
  );
}

/** The query string for the first page. */
export function firstPage(search: string): string {
  const params = new URLSearchParams(apiSearch(search));
  params.delete('cursor');
  return readableQuery(params);
}

/** The query string for the whole list: filters and sort order, without pagination. */
export function withoutPaging(search: string): string {
  const params = new URLSearchParams(firstPage(search));
  params.delete('limit');
  return readableQuery(params);
}

const LAST_SEARCH = 'petstore-orders-search';

/** Stores the current filters in this tab, for the link back to the list. */
export function saveSearch(search: string): void {
  try {
    sessionStorage.setItem(LAST_SEARCH, search);
  } catch {
    // Without storage, the link leads to all orders.
  }
}

/** The list with the last filters used in this tab. */
export function lastListPath(): string {
  let search = '';
  try {
    search = sessionStorage.getItem(LAST_SEARCH) ?? '';
  } catch {
    // Without storage, there are no stored filters.
  }
  return search ? `/orders?${search}` : '/orders';
}

/** Cursors only lead forward, so previous cursors are kept in memory for the link back. */
const cursorsBefore = new Map<string, string>();
const MAX_CURSORS = 10_000;

export function savePageCursors(from: string | null, to: string | null): void {
  if (cursorsBefore.size >= MAX_CURSORS) cursorsBefore.clear();
  if (to !== null) cursorsBefore.set(to, from ?? '');
}

/** The number of pages before a cursor; undefined if they were not visited. */
export function pagesBefore(cursor: string | null): number | undefined {
  let pages = 0;
  for (let at = cursor ?? ''; at !== ''; pages += 1) {
    const before = cursorsBefore.get(at);
    if (before === undefined) return undefined;
    at = before;
  }
  return pages;
}

/** The cursor of the previous page: empty for the first page, undefined if not visited. */
export const previousCursor = (cursor: string): string | undefined => cursorsBefore.get(cursor);
