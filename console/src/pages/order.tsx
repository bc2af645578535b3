import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { writeJson } from '../../../client/src/index.ts';
import type { Deployment } from '../api/console-api.ts';
import { isApiError } from '../api/http.ts';
import { storeQueries } from '../api/queries.ts';
import { requestsQuery } from '../api/requests.ts';
import type { Order, OrderHistoryEntry } from '../api/store.ts';
import { callsOf } from '../calls.ts';
import { BackLink } from '../components/back-link.tsx';
import { BreakableUrl } from '../components/breakable-url.tsx';
import { CopyButton } from '../components/copy-button.tsx';
import { Method } from '../components/method.tsx';
import { OrderActions, OrderDialog, type OrderDialogKind } from '../components/order-actions.tsx';
import { Page, Section } from '../components/page.tsx';
import { PetGlyph } from '../components/pet-glyph.tsx';
import { ScrollingCode } from '../components/scrolling-code.tsx';
import { Snippets } from '../components/snippets.tsx';
import { Stability } from '../components/stability.tsx';
import { Empty, Failure, SkeletonRows } from '../components/states.tsx';
import { Status } from '../components/status.tsx';
import { Timeline } from '../components/timeline.tsx';
import { When } from '../components/when.tsx';
import { count } from '../format.ts';
import { lastListPath } from '../orders-search.ts';
import { findRequestOfChange } from '../request-of-change.ts';
import { Link } from '../router/link.tsx';
import { usePetsById } from '../use-pets.ts';

/** The service records a request within seconds of its response. */
const RECORDED_WITHIN_MS = 10_000;
const POLL_MS = 2_000;

/** Larger IDs use a smaller font on phones, so that they fit on one line. */
const LONG_ID = 10n ** 12n;

export function OrderPage({ id, deployment }: { readonly id: bigint; readonly deployment: Deployment }) {
  const order = useQuery(storeQueries.order(id));
  const history = useQuery(storeQueries.history(id));
  const requests = useRequestsOfChanges(id, history.data);
  const pets = usePetsById();
  const [dialog, setDialog] = useState<OrderDialogKind>();
  const missing = isApiError(order.error) && order.error.status === 404;
  const shown = missing ? undefined : order.data;
  const pet = order.data && pets.get(order.data.petId);
  const address = `${deployment.origin}/v2/store/orders/${id}`;

  return (
    <>
      <BackLink to={lastListPath()} name="All orders" />
      <Page
        name={`Order ${id}`}
        title={
          <>
            Order <span className={id > LONG_ID ? 'max-sm:text-[1.375rem]' : ''}>{String(id)}</span>
          </>
        }
        lead={shown ? <Status status={shown.status} /> : <span className="block h-6" />}
        actions={shown && <OrderActions order={shown} onOpen={setDialog} />}
      >
        {missing ? (
          <div className="panel">
            <Empty title="Order not found" animal="fish">
              <p>This store has no order {String(id)}.</p>
              <Link to="/orders" className="button">
                Show all orders
              </Link>
            </Empty>
          </div>
        ) : order.isError && !order.data ? (
          <div className="panel">
            <Failure error={order.error} retry={() => order.refetch()} />
          </div>
        ) : (
          <div className="grid gap-4 xl:grid-cols-2 xl:items-start">
            <div className="grid min-w-0 gap-4">
              <section aria-label="Details" className="panel p-5 sm:p-6">
                {order.data ? (
                  <Details order={order.data} name={pet?.name} category={pet?.category} />
                ) : (
                  <SkeletonRows rows={4} />
                )}
              </section>
              <Section title="API response">
                <div className="@container rounded-2xl bg-sunken">
                  <div className="flex items-center justify-between gap-3 border-line border-b py-2 pr-2 pl-4">
                    <span className="flex min-w-0 flex-wrap items-center gap-x-3 gap-y-1">
                      <code className="min-w-0 font-mono text-[0.8125rem] [overflow-wrap:anywhere]">
                        <Method method="GET" /> <BreakableUrl url={new URL(address).pathname} />
                      </code>
                      <span className="hidden @sm:inline">
                        <Stability of="beta" />
                      </span>
                    </span>
                    <CopyButton text={address} name="URL" compact />
                  </div>
                  <ScrollingCode
                    text={(order.data && writeJson(order.data, '  ')) ?? ''}
                    language="json"
                    className="min-h-56 p-4"
                  />
                </div>
              </Section>
            </div>
            <div className="grid min-w-0 gap-4">
              <Section title="History">
                <div className={shown?.status === 'pending' ? 'min-h-13' : 'min-h-43'}>
                  {history.data ? (
                    <Timeline id={id} states={history.data} requests={requests} />
                  ) : (
                    history.isError && <Failure error={history.error} retry={() => history.refetch()} />
                  )}
                </div>
              </Section>
              <Section title="Code">
                <Snippets snippets={callsOf(address)} />
              </Section>
            </div>
          </div>
        )}
      </Page>
      {dialog && order.data && (
        <OrderDialog
          kind={dialog}
          order={order.data}
          pet={pet}
          onOpen={setDialog}
          onClose={() => setDialog((current) => (current === dialog ? undefined : current))}
        />
      )}
    </>
  );
}

/** The recorded requests; polled only just after a change, until its request is recorded. */
function useRequestsOfChanges(id: bigint, states: readonly OrderHistoryEntry[] | undefined) {
  const last = states?.at(-1);
  const { data = [] } = useQuery({
    ...requestsQuery,
    enabled: states !== undefined,
    refetchInterval: ({ state }) => {
      const isNew = last !== undefined && Date.now() - Date.parse(last.at) < RECORDED_WITHIN_MS;
      return isNew && !findRequestOfChange(id, last, state.data ?? []) ? POLL_MS : false;
    },
  });
  return data;
}

function Details({
  order,
  name,
  category,
}: {
  readonly order: Order;
  readonly name: string | undefined;
  readonly category: string | undefined;
}) {
  const hasShipped = order.status === 'shipped' || order.status === 'delivered';
  const facts: Array<[string, ReactNode]> = [
    [hasShipped ? 'Shipped' : 'Expected ship date', <When key="ship" at={order.shipDate} />],
    ['Placed', <When key="placed" at={order.placedAt} />],
    ['Updated', <When key="updated" at={order.updatedAt} />],
    ['Complete', order.complete ? 'Yes' : 'No'],
  ];
  return (
    <>
      <div className="flex items-center gap-4 border-line border-b pb-5">
        <PetGlyph category={category ?? 'other'} size={72} />
        <div className="min-w-0 [overflow-wrap:anywhere]">
          <p className="font-display font-semibold text-2xl leading-tight">
            {count(order.quantity)} × {name ?? `pet ${order.petId}`}
          </p>
          <p className="text-ink-soft">
            {category ? `${category} · ` : ''}pet{' '}
            <span className={order.petId > LONG_ID ? 'inline-block max-sm:text-[0.8125rem]' : ''}>
              {String(order.petId)}
            </span>
          </p>
        </div>
      </div>
      <dl className="mt-5 grid gap-x-6 gap-y-4 sm:grid-cols-2">
        {facts.map(([term, value]) => (
          <div key={term}>
            <dt className="label">{term}</dt>
            <dd className="font-semibold">{value}</dd>
          </div>
        ))}
      </dl>
    </>
  );
}
