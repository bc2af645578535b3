import { useQuery } from '@tanstack/react-query';
import { useRef } from 'react';
import { MAX_REQUESTS, requestsQuery } from '../api/requests.ts';
import { publicPath } from '../base-path.ts';
import { Icon } from '../components/icon.tsx';
import { Page } from '../components/page.tsx';
import { RequestFilters } from '../components/request-filters.tsx';
import { RequestsTable } from '../components/requests-table.tsx';
import { Empty, Failure, SkeletonRows } from '../components/states.tsx';
import { plural } from '../format.ts';
import { filterRequests, filtersOf } from '../requests-search.ts';
import { Link } from '../router/link.tsx';
import { useLocation } from '../router/router.ts';
import { useDeferredRows } from '../use-deferred-rows.ts';
import { useKeyNames } from '../use-key-names.ts';
import { useRowKeys } from '../use-row-keys.ts';

export function Requests() {
  const { search } = useLocation();
  const found = useQuery(requestsQuery);
  const keyNames = useKeyNames();
  const filters = filtersOf(search);
  const table = useRef<HTMLDivElement>(null);
  const rows = useDeferredRows(found.data, table);
  const all = rows.shown ?? [];
  const shown = filterRequests(all, filters);
  useRowKeys();
  return (
    <Page
      name="Requests"
      title="Requests"
      lead={`The last ${MAX_REQUESTS} API requests of the past 24 hours, excluding the console's own. Updates live.`}
    >
      <RequestFilters requests={all} filters={filters} keyNames={keyNames} />
      <div ref={table} onPointerLeave={rows.showAll}>
        {rows.deferred > 0 && (
          // Above the table without taking space, so that no row moves.
          <div className="sticky top-12 z-20 flex h-0 justify-center">
            <button
              type="button"
              className="button button-primary button-small translate-y-2 shadow-lg"
              onClick={rows.showAll}
            >
              <Icon name="up" size={16} /> {plural(rows.deferred, 'new request')}
            </button>
          </div>
        )}
        <div className="panel min-h-[32rem] overflow-hidden">
          {found.isError && !found.data ? (
            <Failure error={found.error} retry={() => found.refetch()} />
          ) : !found.data ? (
            <SkeletonRows rows={10} className="h-15" />
          ) : all.length === 0 ? (
            <Empty title="No requests yet" animal="rabbit">
              <p>Requests made with your keys appear here.</p>
              <a href={publicPath('/docs#listOrders')} className="button">
                Try the API reference
              </a>
            </Empty>
          ) : shown.length === 0 ? (
            <Empty title="No requests match these filters" animal="rabbit">
              <p>Remove a filter, or start over with all requests.</p>
              <Link to="/requests" className="button">
                Show all requests
              </Link>
            </Empty>
          ) : (
            <RequestsTable requests={shown} keyNames={keyNames} />
          )}
        </div>
      </div>
      <p className="mt-3 text-ink-soft text-sm" role="status">
        {found.data &&
          (shown.length === all.length
            ? plural(all.length, 'request')
            : `${shown.length} of ${plural(all.length, 'request')}`)}
      </p>
    </Page>
  );
}
