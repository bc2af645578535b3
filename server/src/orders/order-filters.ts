import type { Value } from '../database/query.ts';
import { type OrderStatus, orderStatuses } from '../domain/vocabulary.ts';
import { boolean, dateTime, type Field, int64, someOf } from '../http/fields/field.ts';
import type { QueryOf } from '../http/fields/parameters.ts';
import { schemaRef } from '../http/openapi/openapi.ts';
import type { orderColumns } from './order.ts';
import { states } from './states.ts';

interface StatusFilter {
  readonly field: Field<unknown>;
  readonly statuses: (value: never) => readonly OrderStatus[];
}

export interface ColumnFilter {
  readonly field: Field<Value>;
  readonly column: (typeof orderColumns)[number];
  readonly operator: '=' | '>=' | '<';
  /** The part of the indexes of orders that serves the filter. Without one, pages test all orders, in slices. */
  readonly index?: 'pet' | 'date';
}

/** The filters of v2's order list. To add one, add an entry. */
export const orderFilters = {
  status: {
    field: someOf('Only orders with one of these statuses.', schemaRef('OrderStatus'), orderStatuses),
    statuses: (given: readonly OrderStatus[]) => given,
  },
  petId: { field: int64('Only orders for this pet.', 1), column: 'pet_id', operator: '=', index: 'pet' },
  complete: {
    field: boolean('`true` for delivered orders only, `false` for all others.', false),
    statuses: (complete: boolean) => orderStatuses.filter((status) => states[status].isComplete === complete),
  },
  shipDateFrom: {
    field: dateTime('Only orders with a ship date at or after this time.', '2026-12-01T00:00:00Z'),
    column: 'ship_date',
    operator: '>=',
    index: 'date',
  },
  shipDateTo: {
    field: dateTime('Only orders with a ship date before this time.', '2027-01-01T00:00:00Z'),
    column: 'ship_date',
    operator: '<',
    index: 'date',
  },
} as const satisfies Readonly<Record<string, StatusFilter | ColumnFilter>>;

type FilterFields = { readonly [K in keyof typeof orderFilters]: (typeof orderFilters)[K]['field'] };

export const orderFilterFields = Object.fromEntries(
  Object.entries(orderFilters).map(([name, { field }]) => [name, field]),
) as FilterFields;

/** Values of column filters by name; undefined for those not given. */
export type FilterValues = Readonly<Record<string, Value | undefined>>;

export function readFilters(query: QueryOf<FilterFields>) {
  let statuses: readonly OrderStatus[] = orderStatuses;
  const values: Record<string, Value | undefined> = {};
  for (const [name, filter] of Object.entries(orderFilters)) {
    const value = query[name as keyof FilterFields];
    if (!('statuses' in filter)) values[name] = value as Value | undefined;
    else if (value !== undefined) {
      const matching = filter.statuses(value as never);
      statuses = statuses.filter((status) => matching.includes(status));
    }
  }
  return { statuses, values };
}

/** The column filters that have a value, each with its name and value. */
export function givenFilters(values: Readonly<Record<string, unknown>>) {
  return Object.entries<StatusFilter | ColumnFilter>(orderFilters).flatMap(([name, filter]) =>
    'statuses' in filter || values[name] === undefined ? [] : [{ ...filter, name, value: values[name] }],
  );
}
