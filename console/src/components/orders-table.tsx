import type { Order, Pet } from '../api/store.ts';
import { count } from '../format.ts';
import { DEFAULT_SORT, withFilters } from '../orders-search.ts';
import { Link } from '../router/link.tsx';
import { useFresh } from '../use-fresh.ts';
import { Icon } from './icon.tsx';
import { OrderActions } from './order-actions.tsx';
import { PetGlyph } from './pet-glyph.tsx';
import { Status } from './status.tsx';
import { When } from './when.tsx';

export function OrdersTable({
  orders,
  pets,
  search,
}: {
  readonly orders: readonly Order[];
  readonly pets: ReadonlyMap<string, Pet>;
  readonly search: string;
}) {
  const fresh = useFresh(orders);
  return (
    <table className="w-full text-left">
      <caption className="sr-only">Orders. Times are UTC.</caption>
      <thead className="text-ink-soft text-sm">
        <tr className="h-11 border-line border-b [&>th]:px-2 [&>th]:font-semibold sm:[&>th]:px-3">
          <SortableHead name="Order" field="id" search={search} className="!pl-4 sm:!pl-5" />
          <th scope="col">Pet</th>
          <th scope="col" className="hidden text-right sm:table-cell">
            Units
          </th>
          <th scope="col">Status</th>
          <SortableHead name="Ship date" field="shipDate" search={search} className="hidden sm:table-cell" />
          <th scope="col" className="hidden 2xl:table-cell">
            Placed
          </th>
          <th scope="col" className="hidden md:table-cell">
            <span className="sr-only">Actions</span>
          </th>
        </tr>
      </thead>
      <tbody>
        {orders.map((order) => {
          const pet = pets.get(order.petId);
          return (
            <tr
              key={order.id}
              className={`h-15 border-line border-b last:border-0 [&>td]:px-2 sm:[&>td]:px-3 ${fresh.has(order.id) ? 'fresh' : ''}`}
            >
              <th scope="row" className="max-w-40 px-2 font-normal !pl-4 sm:px-3 sm:!pl-5">
                <Link to={`/orders/${order.id}`} className="tag" aria-label={`Order ${order.id}`}>
                  {order.id}
                </Link>
              </th>
              <td>
                <span className="flex items-center gap-2.5">
                  <PetGlyph category={pet?.category ?? 'other'} size={34} />
                  <span className="min-w-0">
                    <span className="block font-semibold leading-tight">
                      {pet?.name ?? `Pet ${order.petId}`}
                    </span>
                    <span className="block text-ink-soft text-sm leading-tight sm:hidden">
                      × {count(order.quantity)}
                    </span>
                    <span className="hidden text-ink-soft text-sm leading-tight sm:block">
                      {pet?.category ?? '\u00a0'}
                    </span>
                  </span>
                </span>
              </td>
              <td className="hidden text-right sm:table-cell">{count(order.quantity)}</td>
              <td>
                <Status status={order.status} />
                <span className="mt-0.5 block text-ink-soft text-xs sm:hidden">
                  <When at={order.shipDate} only="day" />
                </span>
              </td>
              <td className="hidden sm:table-cell">
                <When at={order.shipDate} />
              </td>
              <td className="hidden text-ink-soft 2xl:table-cell">
                <When at={order.placedAt} only="day" />
              </td>
              <td className="hidden !pr-4 text-right md:table-cell">
                <OrderActions order={order} pet={pet} compact />
              </td>
            </tr>
          );
        })}
      </tbody>
    </table>
  );
}

function SortableHead({
  name,
  field,
  search,
  className,
}: {
  readonly name: string;
  readonly field: 'id' | 'shipDate';
  readonly search: string;
  readonly className: string;
}) {
  const sort = new URLSearchParams(search).get('sort') ?? DEFAULT_SORT;
  const on = sort.replace('-', '') === field;
  const descending = sort.startsWith('-');
  const next = on && !descending ? `-${field}` : on ? field : field === 'id' ? '-id' : field;
  return (
    <th scope="col" aria-sort={on ? (descending ? 'descending' : 'ascending') : 'none'} className={className}>
      <Link
        to={withFilters(search, { sort: next })}
        keepScroll
        className="inline-flex items-center gap-1 hover:text-ink"
      >
        {name}
        <span className={on ? 'text-accent' : 'invisible'}>
          <Icon name={on && descending ? 'down' : 'up'} size={14} />
        </span>
      </Link>
    </th>
  );
}
