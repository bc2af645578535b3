import type { MouseEvent } from 'react';
import type { Order, Pet } from '../api/store.ts';
import { count } from '../format.ts';
import { DEFAULT_SORT, withParameters } from '../orders-search.ts';
import { Link } from '../router/link.tsx';
import { hrefOf, navigate } from '../router/router.ts';
import { useRecentlyChanged } from '../use-recently-changed.ts';
import { Icon } from './icon.tsx';
import { OrderActions, type OrderDialogKind } from './order-actions.tsx';
import { PetGlyph } from './pet-glyph.tsx';
import { Status } from './status.tsx';
import { When } from './when.tsx';

export interface Selection {
  readonly ids: ReadonlySet<bigint>;
  readonly select: (ids: readonly bigint[], chosen: boolean) => void;
}

/** Whether the order can still change. */
const canChange = ({ status }: Order) => status === 'pending' || status === 'shipped';

export function OrdersTable({
  orders,
  pets,
  search,
  selection,
  onOpen,
}: {
  readonly orders: readonly Order[];
  readonly pets: ReadonlyMap<bigint, Pet>;
  readonly search: string;
  readonly selection: Selection;
  readonly onOpen: (order: Order, kind: OrderDialogKind) => void;
}) {
  const fresh = useRecentlyChanged(orders);
  const open = orders.filter(canChange).map(({ id }) => id);
  const chosen = open.filter((id) => selection.ids.has(id)).length;
  return (
    <table className="w-full text-left">
      <caption className="sr-only">Orders. Times are in UTC.</caption>
      <thead className="text-ink-soft text-sm">
        <tr className="flex h-11 items-center gap-4 border-line border-b px-3 @2xl:table-row [&>th]:font-semibold @2xl:[&>th]:px-3">
          <th scope="col" className="w-0 min-w-9 !pr-0 @2xl:!pl-5">
            <Checkbox
              name="Select all on this page"
              checked={chosen > 0 && chosen === open.length}
              mixed={chosen > 0 && chosen < open.length}
              disabled={open.length === 0}
              onChange={(on) => selection.select(open, on)}
            />
          </th>
          <SortableHead name="Order" field="id" search={search} className="" />
          <th scope="col" className="hidden @2xl:table-cell">
            Pet
          </th>
          <th scope="col" className="hidden text-right @4xl:table-cell">
            Quantity
          </th>
          <th scope="col" className="hidden @2xl:table-cell">
            Status
          </th>
          <SortableHead name="Ship date" field="shipDate" search={search} className="" />
          <th scope="col" className="hidden @6xl:table-cell">
            Placed
          </th>
          <th scope="col" className="hidden w-0 @2xl:table-cell">
            <span className="sr-only">Actions</span>
          </th>
        </tr>
      </thead>
      <tbody>
        {orders.map((order) => {
          const pet = pets.get(order.petId);
          const isChosen = selection.ids.has(order.id) && canChange(order);
          return (
            <tr
              key={order.id}
              // Enlarges the click target of the row's link; keyboards use the link.
              onClick={(event) => openRow(event, order.id)}
              className={`grid cursor-pointer grid-cols-[2.25rem_minmax(0,1fr)_auto] items-center gap-x-2 border-line border-b px-3 py-2.5 last:border-0 @2xl:table-row @2xl:h-15 @2xl:[&>*]:px-3 ${isChosen ? 'bg-accent-soft' : 'hover:bg-sunken/50'} ${fresh.has(order.id) ? 'fresh' : ''}`}
            >
              <td className="row-span-2 self-start !pr-0 @2xl:!pl-5">
                {canChange(order) && (
                  <Checkbox
                    name={`Select order ${order.id}`}
                    checked={isChosen}
                    onChange={(on) => selection.select([order.id], on)}
                  />
                )}
              </td>
              <th scope="row" className="col-start-2 font-normal">
                <Link
                  to={`/orders/${order.id}`}
                  className={`tag ${order.id > 999_999_999_999n ? 'text-[0.6875rem] @4xl:text-sm' : ''}`}
                  aria-label={`Order ${order.id}`}
                >
                  {String(order.id)}
                </Link>
              </th>
              <td className="col-start-2 row-start-2 mt-1.5">
                <span className="flex items-center gap-2.5">
                  <PetGlyph category={pet?.category ?? 'other'} size={34} />
                  <span className="min-w-0">
                    <span className="line-clamp-2 max-w-72 break-words font-semibold leading-tight">
                      {pet?.name ?? `Pet ${order.petId}`}
                    </span>
                    <span className="block text-ink-soft text-sm leading-tight @4xl:hidden">
                      × {count(order.quantity)}
                    </span>
                    <span className="second-line hidden text-ink-soft text-sm leading-tight @4xl:block">
                      {pet?.category ?? '\u00a0'}
                    </span>
                  </span>
                </span>
              </td>
              <td className="hidden text-right @4xl:table-cell">{count(order.quantity)}</td>
              <td className="col-start-3 row-start-2 mt-1.5 text-right @2xl:text-left">
                <Status status={order.status} />
                <span className="mt-0.5 block text-ink-soft text-xs @2xl:hidden">
                  <When at={order.shipDate} precision="day" />
                </span>
              </td>
              <td className="hidden @2xl:table-cell">
                <span className="@4xl:hidden">
                  <When at={order.shipDate} precision="day" />
                </span>
                <span className="hidden @4xl:inline">
                  <When at={order.shipDate} />
                </span>
              </td>
              <td className="hidden text-ink-soft @6xl:table-cell">
                <When at={order.placedAt} precision="day" />
              </td>
              <td className="col-start-3 row-start-1 text-right @2xl:!pl-0 @2xl:!pr-4">
                <OrderActions order={order} onOpen={(kind) => onOpen(order, kind)} compact />
              </td>
            </tr>
          );
        })}
      </tbody>
    </table>
  );
}

/** Opens the order when its row is clicked outside of links, buttons and inputs. */
function openRow(event: MouseEvent<HTMLElement>, id: bigint): void {
  const isOnControl = (event.target as Element).closest('a, button, label, input, dialog') !== null;
  if (isOnControl || event.defaultPrevented || String(getSelection()) !== '') return;
  const to = `/orders/${id}`;
  if (event.metaKey || event.ctrlKey) window.open(hrefOf(to), '_blank', 'noopener');
  else navigate(to);
}

function Checkbox({
  name,
  checked,
  mixed = false,
  disabled = false,
  onChange,
}: {
  readonly name: string;
  readonly checked: boolean;
  readonly mixed?: boolean;
  readonly disabled?: boolean;
  readonly onChange: (on: boolean) => void;
}) {
  return (
    <label className="grid size-9 @2xl:-my-2 place-items-center">
      <input
        type="checkbox"
        className="size-4.5 accent-accent"
        aria-label={name}
        checked={checked}
        disabled={disabled}
        ref={(box) => {
          if (box) box.indeterminate = mixed;
        }}
        onChange={(event) => onChange(event.target.checked)}
      />
    </label>
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
  const isSorted = sort.replace('-', '') === field;
  const descending = sort.startsWith('-');
  // A click reverses the order; a newly sorted column starts with the newest order or the earliest ship date.
  const next = isSorted && !descending ? `-${field}` : isSorted ? field : field === 'id' ? '-id' : field;
  return (
    <th
      scope="col"
      aria-sort={isSorted ? (descending ? 'descending' : 'ascending') : 'none'}
      className={className}
    >
      <Link
        to={withParameters(search, { sort: next })}
        keepScroll
        className="inline-flex items-center gap-1 hover:text-ink"
      >
        {name}
        <span className={isSorted ? 'text-accent' : 'invisible'}>
          <Icon name={isSorted && descending ? 'down' : 'up'} size={14} />
        </span>
      </Link>
    </th>
  );
}
