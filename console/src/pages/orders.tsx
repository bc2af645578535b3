import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { Problem } from '../api/http.ts';
import { storeQueries } from '../api/queries.ts';
import { Icon } from '../components/icon.tsx';
import { OrdersFilters } from '../components/orders-filters.tsx';
import { OrdersTable } from '../components/orders-table.tsx';
import { Page } from '../components/page.tsx';
import { PlaceOrderDialog } from '../components/place-order-dialog.tsx';
import { Empty, Failure, SkeletonRows } from '../components/states.tsx';
import { toast } from '../components/toast.tsx';
import {
  apiSearch,
  countFilters,
  DEFAULT_LIMIT,
  pageBefore,
  rememberPage,
  withFilters,
} from '../orders-search.ts';
import { Link } from '../router/link.tsx';
import { navigate, usePlace } from '../router/router.ts';
import { usePetsById } from '../use-pets.ts';

export function Orders() {
  const { search } = usePlace();
  const page = useQuery({ ...storeQueries.orders(apiSearch(search)), placeholderData: keepPreviousData });
  const pets = usePetsById();
  const [placing, setPlacing] = useState(false);
  const cursor = new URLSearchParams(search).get('cursor');
  const nextCursor = page.data?.nextCursor ?? null;

  useEffect(() => {
    if (!page.isPlaceholderData) rememberPage(cursor, nextCursor);
  }, [cursor, nextCursor, page.isPlaceholderData]);

  const refused = page.error instanceof Problem && page.error.status === 400;
  return (
    <Page
      name="Orders"
      title="Orders"
      lead="As they are right now; changes made elsewhere appear by themselves. Times are UTC."
      actions={
        <button type="button" className="button button-primary" onClick={() => setPlacing(true)}>
          <Icon name="plus" size={18} /> Place an order
        </button>
      }
    >
      <OrdersFilters search={search} />
      <div className={`panel min-h-[32rem] overflow-hidden ${page.isPlaceholderData ? 'opacity-60' : ''}`}>
        {page.isError && !page.data ? (
          <Failure error={page.error} {...(refused ? {} : { retry: () => page.refetch() })}>
            {refused && (
              <Link to="/orders" className="button">
                Show all orders
              </Link>
            )}
          </Failure>
        ) : !page.data ? (
          <SkeletonRows rows={10} className="h-15" />
        ) : page.data.data.length === 0 ? (
          <NoOrders filtered={countFilters(search) > 0} onPlace={() => setPlacing(true)} />
        ) : (
          <OrdersTable orders={page.data.data} pets={pets} search={search} />
        )}
      </div>
      <Pages search={search} cursor={cursor} nextCursor={nextCursor} />
      {placing && (
        <PlaceOrderDialog
          onClose={() => setPlacing(false)}
          onPlaced={({ id }) => {
            setPlacing(false);
            toast(`Order ${id} is placed`);
          }}
        />
      )}
    </Page>
  );
}

function NoOrders({ filtered, onPlace }: { readonly filtered: boolean; readonly onPlace: () => void }) {
  if (filtered) {
    return (
      <Empty title="No order matches" animal="rabbit">
        <p>Not with these filters, all at once.</p>
        <Link to="/orders" className="button">
          Show all orders
        </Link>
      </Empty>
    );
  }
  return (
    <Empty title="No orders yet" animal="dog">
      <p>Place one here or through the API: it appears in this list either way.</p>
      <button type="button" className="button button-primary" onClick={onPlace}>
        Place an order
      </button>
    </Empty>
  );
}

function Pages({
  search,
  cursor,
  nextCursor,
}: {
  readonly search: string;
  readonly cursor: string | null;
  readonly nextCursor: string | null;
}) {
  const before = cursor === null ? undefined : (pageBefore(cursor) ?? '');
  const limit = new URLSearchParams(search).get('limit') ?? DEFAULT_LIMIT;
  return (
    <nav aria-label="Pages" className="mt-4 flex flex-wrap items-center justify-between gap-3">
      <label className="flex items-center gap-2 text-ink-soft text-sm">
        Orders on a page
        <select
          className="input input-small !w-auto"
          value={limit}
          onChange={(event) =>
            navigate(withFilters(search, { limit: event.target.value }), { keepScroll: true })
          }
        >
          {[...new Set(['10', '25', '50', '100', '250', limit])].map((size) => (
            <option key={size}>{size}</option>
          ))}
        </select>
      </label>
      <div className="flex gap-2">
        <Turn
          to={before === undefined ? undefined : withFilters(search, { cursor: before })}
          name={cursor !== null && pageBefore(cursor) === undefined ? 'First page' : 'Previous'}
          icon="left"
        />
        <Turn
          to={nextCursor === null ? undefined : withFilters(search, { cursor: nextCursor })}
          name="Next"
          icon="right"
        />
      </div>
    </nav>
  );
}

function Turn({
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
