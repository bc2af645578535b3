import { InvalidRequestError, type OrderFilter } from '../../client/src/index.ts';
import { type OrderStatus, orderStatuses } from './api/store.ts';

/** The filters of the order list as they stand in the address, by the API's own names. */
export type Filter =
  | 'status'
  | 'petId'
  | 'complete'
  | 'shipDateFrom'
  | 'shipDateTo'
  | 'sort'
  | 'limit'
  | 'cursor';

const names: readonly Filter[] = [
  'status',
  'petId',
  'complete',
  'shipDateFrom',
  'shipDateTo',
  'sort',
  'limit',
  'cursor',
];
const narrowing: readonly Filter[] = ['status', 'petId', 'complete', 'shipDateFrom', 'shipDateTo'];

export const DEFAULT_SORT = '-id';
export const DEFAULT_LIMIT = '25';

/** A filter that is given several times, as the API lets one do, is the same as its values in a row. */
const valuesOf = (given: URLSearchParams, name: Filter) => given.getAll(name).join(',');

/** The search for the API: the newest orders first, unless the address says otherwise. */
export function apiSearch(search: string): string {
  const given = new URLSearchParams(search);
  const api = new URLSearchParams({ sort: DEFAULT_SORT, limit: DEFAULT_LIMIT });
  for (const name of names) {
    const value = valuesOf(given, name);
    if (value) api.set(name, value);
  }
  return readable(api);
}

/** What a search asks of the client. What is no value of its filter goes to the service, which says so. */
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

/** The address with some filters changed. Another filter or order of things starts at the first page. */
export function withFilters(search: string, changes: Partial<Record<Filter, string>>): string {
  const params = new URLSearchParams(search);
  params.delete('cursor');
  for (const [name, value] of Object.entries(changes)) {
    if (value) params.set(name, value);
    else params.delete(name);
  }
  if (params.get('sort') === DEFAULT_SORT) params.delete('sort');
  if (params.get('limit') === DEFAULT_LIMIT) params.delete('limit');
  const text = readable(params);
  return text ? `/orders?${text}` : '/orders';
}

/** Leaves commas and colons as they are: an address is read by people too. */
function readable(params: URLSearchParams): string {
  return params.toString().replaceAll('%2C', ',').replaceAll('%3A', ':');
}

export function statusesOf(search: string): readonly OrderStatus[] {
  const given = valuesOf(new URLSearchParams(search), 'status').split(',');
  return orderStatuses.filter((status) => given.includes(status));
}

export function countFilters(search: string): number {
  const given = new URLSearchParams(search);
  return narrowing.filter((name) => given.get(name)).length;
}

/** What a search narrows the list down by, whatever its order and its pages. */
export function narrowingOf(search: string): string {
  const given = new URLSearchParams(search);
  return readable(
    new URLSearchParams(
      narrowing.flatMap((name) => [[name, valuesOf(given, name)]]).filter(([, value]) => value !== ''),
    ),
  );
}

/** The search for the first page of the list. */
export function firstPage(search: string): string {
  const params = new URLSearchParams(apiSearch(search));
  params.delete('cursor');
  return readable(params);
}

/** The search that the list has without its pages: what it shows, and in which order. */
export function wholeList(search: string): string {
  const params = new URLSearchParams(firstPage(search));
  params.delete('limit');
  return readable(params);
}

const LAST_SEARCH = 'petstore-orders-search';

/** Keeps the filters of the list for the way back to it, in this tab. */
export function rememberSearch(search: string): void {
  try {
    sessionStorage.setItem(LAST_SEARCH, search);
  } catch {
    // Without storage the way back leads to all orders.
  }
}

/** The list as it was last seen in this tab. */
export function lastList(): string {
  let search = '';
  try {
    search = sessionStorage.getItem(LAST_SEARCH) ?? '';
  } catch {
    // Nothing is remembered.
  }
  return search ? `/orders?${search}` : '/orders';
}

/** Cursors only lead forward, so the way back is remembered for as long as the page is open. */
const cursorsBefore = new Map<string, string>();
const MOST_CURSORS = 10_000;

export function rememberPage(from: string | null, to: string | null): void {
  if (cursorsBefore.size >= MOST_CURSORS) cursorsBefore.clear();
  if (to !== null) cursorsBefore.set(to, from ?? '');
}

/** How many pages come before the one of a cursor; undefined where the way there was not seen. */
export function pagesBefore(cursor: string | null): number | undefined {
  let pages = 0;
  for (let at = cursor ?? ''; at !== ''; pages += 1) {
    const before = cursorsBefore.get(at);
    if (before === undefined) return undefined;
    at = before;
  }
  return pages;
}

/** The cursor of the page before: empty for the first page, undefined where it was never seen. */
export const pageBefore = (cursor: string): string | undefined => cursorsBefore.get(cursor);
