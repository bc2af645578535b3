import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import type { Session } from '../api/console-api.ts';
import { storeQueries } from '../api/queries.ts';
import type { Order } from '../api/store.ts';
import { DeploymentCard } from '../components/deployment-card.tsx';
import { Page, Section } from '../components/page.tsx';
import { RequestChart } from '../components/request-chart.tsx';
import { ShipChart } from '../components/ship-chart.tsx';
import { StateBar } from '../components/state-bar.tsx';
import { Empty, Failure, SkeletonRows } from '../components/states.tsx';
import { StockList } from '../components/stock-list.tsx';
import { count, day, plural, relativeTime } from '../format.ts';
import { Link } from '../router/link.tsx';
import { bucketsOf, totalOf } from '../ship-buckets.ts';
import { useMinute } from '../use-minute.ts';

export function Overview({ session }: { readonly session: Omit<Session, 'firstKey'> }) {
  useMinute();
  const summary = useQuery(storeQueries.summary());
  const nextDue = useQuery(storeQueries.nextDue());
  const pets = useQuery(storeQueries.pets());
  const counts = summary.data?.orders;
  const weeks = summary.data?.weeks;
  const buckets = useMemo(() => weeks && bucketsOf(weeks), [weeks]);

  return (
    <Page
      name="Overview"
      title={counts ? headline(counts.pending) : 'Overview'}
      lead={counts && nextDue.data !== undefined ? nextShipment(nextDue.data, totalOf(counts)) : '\u00a0'}
    >
      {summary.isError && !counts ? (
        <div className="panel">
          <Failure error={summary.error} retry={() => summary.refetch()} />
        </div>
      ) : (
        <div className="grid gap-4">
          <Section title="Orders by status" note={counts && plural(totalOf(counts), 'order')}>
            <StateBar counts={counts} />
          </Section>
          <div className="grid gap-4 xl:grid-cols-[1.75fr_1fr]">
            <Section title="Orders by ship date" className="flex min-h-[24.5rem] flex-col">
              {!buckets ? (
                <div className="skeleton min-h-[220px] flex-auto" />
              ) : buckets.buckets.length > 0 ? (
                <ShipChart data={buckets} />
              ) : (
                <Empty title="No orders yet" animal="dog" />
              )}
            </Section>
            <Section
              title="Stock by pet"
              note={
                <Link to="/pets" className="link">
                  All pets
                </Link>
              }
              className="xl:min-h-[24.5rem]"
            >
              {pets.data ? (
                pets.data.length > 0 ? (
                  <StockList pets={pets.data} />
                ) : (
                  <Empty title="No pets yet" animal="hamster" />
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
          <RequestChart />
          <h2 className="mt-4 text-xl">Environments</h2>
          <div className="grid gap-4 md:grid-cols-2">
            {[...session.deployments].sort(byName).map((deployment) => (
              <DeploymentCard
                key={deployment.name}
                deployment={deployment}
                isCurrent={deployment.name === session.deployment}
              />
            ))}
          </div>
        </div>
      )}
    </Page>
  );
}

const byName = (a: { name: string }, b: { name: string }) => a.name.localeCompare(b.name);

function headline(pending: number): string {
  if (pending === 0) return 'No orders are waiting to ship';
  return pending === 1 ? '1 order is waiting to ship' : `${count(pending)} orders are waiting to ship`;
}

function nextShipment(next: Order | null, orders: number): string {
  if (orders === 0) return 'No orders yet.';
  if (next === null) return 'Every order has shipped or been cancelled.';
  const { shipDate } = next;
  return Date.parse(shipDate) < Date.now()
    ? `The oldest was due ${relativeTime(shipDate)}, on ${day(shipDate)}.`
    : `The next is due ${relativeTime(shipDate)}, on ${day(shipDate)}.`;
}
