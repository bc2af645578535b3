import type { OrderStatus } from './api/store.ts';
import { orderStatuses } from './api/store.ts';

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

/** The search for the API: the newest orders first, unless the address says otherwise. */
export function apiSearch(search: string): string {
  const given = new URLSearchParams(search);
  const api = new URLSearchParams({ sort: DEFAULT_SORT, limit: DEFAULT_LIMIT });
  for (const name of names) {
    const value = given.get(name);
    if (value) api.set(name, value);
  }
  return readable(api);
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
  const given = (new URLSearchParams(search).get('status') ?? '').split(',');
  return orderStatuses.filter((status) => given.includes(status));
}

export function countFilters(search: string): number {
  const given = new URLSearchParams(search);
  return narrowing.filter((name) => given.get(name)).length;
}

/** Cursors only lead forward, so the way back is remembered for as long as the page is open. */
const cursorsBefore = new Map<string, string>();

export function rememberPage(from: string | null, to: string | null): void {
  if (to !== null) cursorsBefore.set(to, from ?? '');
}

/** The cursor of the page before: empty for the first page, undefined where it was never seen. */
export const pageBefore = (cursor: string): string | undefined => cursorsBefore.get(cursor);
