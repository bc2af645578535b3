import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import type { Session } from '../api/console-api.ts';
import { MOST_READ, storeQueries } from '../api/queries.ts';
import { type Order, type OrderStatus, orderStatuses } from '../api/store.ts';
import { DeploymentCard } from '../components/deployment-card.tsx';
import { Page, Section } from '../components/page.tsx';
import { ShipChart } from '../components/ship-chart.tsx';
import { StateBar } from '../components/state-bar.tsx';
import { Empty, Failure, SkeletonRows } from '../components/states.tsx';
import { StockList } from '../components/stock-list.tsx';
import { ago, count, day, plural } from '../format.ts';
import { Link } from '../router/link.tsx';
import { bucketsOf } from '../ship-buckets.ts';

export function Overview({ session }: { readonly session: Omit<Session, 'firstKey'> }) {
  const newest = useQuery(storeQueries.newestOrders());
  const pets = useQuery(storeQueries.pets());
  const orders = newest.data?.data;
  const counts = useMemo(() => orders && countStates(orders), [orders]);
  const buckets = useMemo(() => orders && bucketsOf(orders), [orders]);
  const partial = newest.data?.nextCursor != null;

  return (
    <Page
      name="Overview"
      title={orders ? headline(counts?.pending ?? 0) : 'Looking around the store'}
      lead={orders ? nextShipment(orders) : '\u00a0'}
    >
      {newest.isError && !orders ? (
        <div className="panel">
          <Failure error={newest.error} retry={() => newest.refetch()} />
        </div>
      ) : (
        <div className="grid gap-4">
          <Section
            title="Orders by state"
            note={partial ? `the newest ${count(MOST_READ)}` : orders && plural(orders.length, 'order')}
          >
            <StateBar counts={counts} />
          </Section>
          <div className="grid gap-4 xl:grid-cols-[1.75fr_1fr]">
            <Section title="Orders by ship date" className="flex min-h-[24.5rem] flex-col">
              {!buckets ? (
                <div className="skeleton min-h-[220px] flex-auto" />
              ) : buckets.buckets.length > 0 ? (
                <ShipChart data={buckets} />
              ) : (
                <Empty title="Nothing to ship" animal="dog" />
              )}
            </Section>
            <Section
              title="Stock by pet"
              note={
                <Link to="/pets" className="link">
                  All pets
                </Link>
              }
              className="min-h-[24.5rem]"
            >
              {pets.data ? (
                pets.data.length > 0 ? (
                  <StockList pets={pets.data} />
                ) : (
                  <Empty title="Empty shelves" animal="hamster" />
                )
              ) : pets.isError ? (
                <Failure error={pets.error} retry={() => pets.refetch()} />
              ) : (
                <div className="-mx-5">
                  <SkeletonRows rows={12} className="h-[2.65rem]" />
                </div>
              )}
            </Section>
          </div>
          <h2 className="mt-4 text-xl">Deployments</h2>
          <div className="grid gap-4 md:grid-cols-2">
            {[...session.deployments].sort(byName).map((deployment) => (
              <DeploymentCard
                key={deployment.name}
                deployment={deployment}
                here={deployment.name === session.deployment}
              />
            ))}
          </div>
        </div>
      )}
    </Page>
  );
}

const byName = (a: { name: string }, b: { name: string }) => a.name.localeCompare(b.name);

function countStates(orders: readonly Order[]): Record<OrderStatus, number> {
  const counts = Object.fromEntries(orderStatuses.map((status) => [status, 0])) as Record<
    OrderStatus,
    number
  >;
  for (const { status } of orders) counts[status] += 1;
  return counts;
}

function headline(pending: number): string {
  if (pending === 0) return 'Nothing is waiting to ship';
  return pending === 1 ? 'One order is waiting to ship' : `${count(pending)} orders are waiting to ship`;
}

function nextShipment(orders: readonly Order[]): string {
  const due = orders
    .filter(({ status }) => status === 'pending')
    .map(({ shipDate }) => shipDate)
    .sort();
  const now = new Date().toISOString();
  const late = due.filter((date) => date < now).length;
  if (late > 0) return `${plural(late, 'order is', 'orders are')} past the ship date.`;
  const next = due[0];
  return next
    ? `The next one is due ${ago(next)}, on ${day(next)}.`
    : 'Every order has left the store, or was cancelled.';
}
