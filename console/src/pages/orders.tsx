import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import type { Deployment } from '../api/console-api.ts';
import { isApiError } from '../api/http.ts';
import { storeQueries } from '../api/queries.ts';
import type { Order } from '../api/store.ts';
import { callsOf } from '../calls.ts';
import { Dialog } from '../components/dialog.tsx';
import { ExportOrdersDialog } from '../components/export-orders-dialog.tsx';
import { Icon, type IconName } from '../components/icon.tsx';
import { OrderDialog, type OrderDialogKind } from '../components/order-actions.tsx';
import { OrdersFilters } from '../components/orders-filters.tsx';
import { OrdersTable, type Selection } from '../components/orders-table.tsx';
import { Page } from '../components/page.tsx';
import { PlaceOrderDialog } from '../components/place-order-dialog.tsx';
import { SelectedOrders } from '../components/selected-orders.tsx';
import { Snippets } from '../components/snippets.tsx';
import { Empty, Failure, SkeletonRows } from '../components/states.tsx';
import { count, plural } from '../format.ts';
import {
  apiSearch,
  countFilters,
  DEFAULT_LIMIT,
  firstPage,
  pagesBefore,
  previousCursor,
  savePageCursors,
  saveSearch,
  withParameters,
} from '../orders-search.ts';
import { overlay } from '../palette/overlay.ts';
import { Link } from '../router/link.tsx';
import { navigate, useLocation } from '../router/router.ts';
import { useFragmentAction } from '../use-fragment-action.ts';
import { usePetsById } from '../use-pets.ts';
import { useRowKeys } from '../use-row-keys.ts';
import { useTotal } from '../use-total.ts';

export function Orders({ deployment }: { readonly deployment: Deployment }) {
  const { search } = useLocation();
  const page = useQuery({ ...storeQueries.orders(apiSearch(search)), placeholderData: keepPreviousData });
  const pets = usePetsById();
  const [open, setOpen] = useState<'place' | 'export' | 'code'>();
  const [dialog, setDialog] = useState<{ readonly order: Order; readonly kind: OrderDialogKind }>();
  const close = () => setOpen(undefined);
  const cursor = new URLSearchParams(search).get('cursor');
  const rejected = isApiError(page.error) && page.error.status === 400;
  // A reset invalidates cursors and the orders read before it.
  const loaded = rejected ? undefined : page.data;
  const nextCursor = loaded?.nextCursor ?? null;
  const orders = loaded?.data ?? [];
  const selection = useSelection(search);
  useRowKeys();
  useFragmentAction({ place: () => setOpen('place'), export: () => setOpen('export') });
  const filtered = countFilters(search) > 0;

  useEffect(() => saveSearch(search), [search]);
  useEffect(() => {
    if (!page.isPlaceholderData) savePageCursors(cursor, nextCursor);
  }, [cursor, nextCursor, page.isPlaceholderData]);

  return (
    <Page
      name="Orders"
      title="Orders"
      lead={
        <>
          Updates live. Times are in UTC.{' '}
          <button type="button" className="link max-lg:hidden" onClick={() => overlay.set('shortcuts')}>
            Keyboard shortcuts
          </button>
        </>
      }
      actions={
        <>
          <IconButton icon="code" name="View code" onClick={() => setOpen('code')} />
          <IconButton icon="download" name="Export" onClick={() => setOpen('export')} />
          <button type="button" className="button button-primary" onClick={() => setOpen('place')}>
            <Icon name="plus" size={18} /> Place order
          </button>
        </>
      }
    >
      <OrdersFilters search={search} />
      <SelectedOrders orders={orders.filter(({ id }) => selection.ids.has(id))} onClear={selection.clear} />
      <div
        className={`panel @container min-h-[32rem] overflow-x-auto ${page.isPlaceholderData ? 'opacity-60' : ''}`}
      >
        {page.isError && !loaded ? (
          <Failure error={page.error} {...(rejected ? {} : { retry: () => page.refetch() })}>
            {rejected && (
              <Link to="/orders" className="button">
                Show all orders
              </Link>
            )}
          </Failure>
        ) : !loaded ? (
          <SkeletonRows rows={10} className="h-15" />
        ) : orders.length === 0 ? (
          <NoOrders filtered={filtered} onPlace={() => setOpen('place')} />
        ) : (
          <OrdersTable
            orders={orders}
            pets={pets}
            search={search}
            selection={selection}
            onOpen={(order, kind) => setDialog({ order, kind })}
          />
        )}
      </div>
      <Pages search={search} cursor={cursor} nextCursor={nextCursor} rows={orders.length} />
      {dialog && (
        <OrderDialog
          kind={dialog.kind}
          order={orders.find(({ id }) => id === dialog.order.id) ?? dialog.order}
          pet={pets.get(dialog.order.petId)}
          onOpen={(kind) => setDialog({ ...dialog, kind })}
          // A late response must not close a dialog opened since.
          onClose={() => setDialog((current) => (current === dialog ? undefined : current))}
        />
      )}
      {open === 'place' && <PlaceOrderDialog onClose={close} />}
      {open === 'export' && (
        <ExportOrdersDialog search={search} pets={pets} filtered={filtered} onClose={close} />
      )}
      {open === 'code' && (
        <Dialog title="Get this list with the API" onClose={close}>
          <Snippets snippets={callsOf(addressOf(deployment, search))} />
        </Dialog>
      )}
    </Page>
  );
}

/** Version 2: version 1 omits cancelled orders, which the page shows. */
const addressOf = ({ origin }: Deployment, search: string) =>
  `${origin}/v2/store/orders?${firstPage(search)}`;

/** A button that shows only its icon on narrow screens. */
function IconButton({
  icon,
  name,
  onClick,
}: {
  readonly icon: IconName;
  readonly name: string;
  readonly onClick: () => void;
}) {
  return (
    <button type="button" className="button" aria-label={name} onClick={onClick}>
      <Icon name={icon} size={18} />
      <span className="hidden xs:inline">{name}</span>
    </button>
  );
}

/** The selected orders. Changing the page or a filter clears the selection. */
function useSelection(search: string): Selection & { readonly clear: () => void } {
  const [chosen, setChosen] = useState({ search, ids: new Set<bigint>() as ReadonlySet<bigint> });
  const ids = chosen.search === search ? chosen.ids : new Set<bigint>();
  return {
    ids,
    select: (some, on) => {
      const next = new Set(ids);
      for (const id of some) {
        if (on) next.add(id);
        else next.delete(id);
      }
      setChosen({ search, ids: next });
    },
    clear: () => setChosen({ search, ids: new Set() }),
  };
}

function NoOrders({ filtered, onPlace }: { readonly filtered: boolean; readonly onPlace: () => void }) {
  if (filtered) {
    return (
      <Empty title="No orders match these filters" animal="rabbit">
        <p>Remove a filter, or start over with all orders.</p>
        <Link to="/orders" className="button">
          Show all orders
        </Link>
      </Empty>
    );
  }
  return (
    <Empty title="No orders yet" animal="dog">
      <p>Place your first order here or with the API.</p>
      <button type="button" className="button button-primary" onClick={onPlace}>
        Place order
      </button>
    </Empty>
  );
}

function Pages({
  search,
  cursor,
  nextCursor,
  rows,
}: {
  readonly search: string;
  readonly cursor: string | null;
  readonly nextCursor: string | null;
  /** Orders on this page. */
  readonly rows: number;
}) {
  const total = useTotal(search);
  const previous = cursor === null ? undefined : (previousCursor(cursor) ?? '');
  const limit = new URLSearchParams(search).get('limit') ?? DEFAULT_LIMIT;
  return (
    <nav aria-label="Pagination" className="mt-4 flex flex-wrap items-center justify-between gap-3">
      <label className="flex items-center gap-2 text-ink-soft text-sm">
        Orders per page
        <select
          className="input input-small !w-auto"
          value={limit}
          onChange={(event) =>
            navigate(withParameters(search, { limit: event.target.value }), { keepScroll: true })
          }
        >
          {[...new Set(['10', '25', '50', '100', '250', limit])].map((size) => (
            <option key={size}>{size}</option>
          ))}
        </select>
      </label>
      <p role="status" className="text-ink-soft text-sm numbers">
        {rangeOf(cursor, Number(limit), rows, total)}
      </p>
      <div className="flex gap-2">
        <PageLink
          to={previous === undefined ? undefined : withParameters(search, { cursor: previous })}
          name={cursor !== null && previousCursor(cursor) === undefined ? 'First page' : 'Previous'}
          icon="left"
        />
        <PageLink
          to={nextCursor === null ? undefined : withParameters(search, { cursor: nextCursor })}
          name="Next"
          icon="right"
        />
      </div>
    </nav>
  );
}

/** The range shown and the total, as far as they are known. */
function rangeOf(cursor: string | null, limit: number, rows: number, total: string | undefined): string {
  if (rows === 0) return '';
  const pages = pagesBefore(cursor);
  const shown =
    pages === undefined
      ? plural(rows, 'order')
      : `${count(pages * limit + 1)}–${count(pages * limit + rows)}`;
  return total === undefined ? shown : `${shown} of ${total}`;
}

function PageLink({
  to,
  name,
  icon,
}: {
  readonly to: string | undefined;
  readonly name: string;
  readonly icon: 'left' | 'right';
}) {
  const label = (
    <>
      {icon === 'left' && <Icon name="left" size={16} />}
      {name}
      {icon === 'right' && <Icon name="right" size={16} />}
    </>
  );
  if (to !== undefined) {
    return (
      <Link to={to} className="button">
        {label}
      </Link>
    );
  }
  return (
    <button type="button" className="button" disabled>
      {label}
    </button>
  );
}
