import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { type InspectedRequest, MAX_REQUESTS, requestsQuery } from '../api/requests.ts';
import { count, plural } from '../format.ts';
import { Link } from '../router/link.tsx';
import { columnsOf } from '../time-columns.ts';
import { Legend } from './chart-parts.tsx';
import { Section } from './page.tsx';
import { Failure } from './states.tsx';
import { TimeChart } from './time-chart.tsx';

const HOUR_MS = 3_600_000;
/** The overview often stays open all day, so it polls only twice a minute. */
const POLL_MS = 30_000;

const periods = [
  { name: 'Last hour', ms: HOUR_MS, size: HOUR_MS / 12, step: '5 minutes' },
  { name: 'Last 24 hours', ms: 24 * HOUR_MS, size: HOUR_MS, step: '1 hour' },
] as const;
type Period = (typeof periods)[number];

/** Colour and name of each outcome. */
const outcomes = [
  ['delivered', 'Success'],
  ['pending', 'Client error (4xx)'],
  ['failed', 'Server error (5xx) or no response'],
] as const;
type Outcome = (typeof outcomes)[number][0];

const outcomeOf = ({ status }: InspectedRequest): Outcome =>
  status === null || status >= 500 ? 'failed' : status >= 400 ? 'pending' : 'delivered';

/** Requests and errors of the last hour and day that the inspector still stores. */
export function RequestChart() {
  const { data, error, refetch } = useQuery({ ...requestsQuery, refetchInterval: POLL_MS });
  const [chosen, setChosen] = useState<Period>(periods[1]);
  const now = Date.now();
  return (
    <Section
      title="API requests"
      note={
        <Link to="/requests" className="link">
          All requests
        </Link>
      }
    >
      {error && !data ? (
        <Failure error={error} retry={() => refetch()} />
      ) : (
        <>
          <fieldset className="mb-3 grid grid-cols-2 gap-2">
            <legend className="sr-only">Period</legend>
            {periods.map((period) => (
              <label
                key={period.name}
                className="relative rounded-2xl border border-line p-3 has-checked:border-accent has-checked:bg-accent-soft has-focus-visible:outline-3 has-focus-visible:outline-accent"
              >
                <input
                  type="radio"
                  name="period"
                  className="absolute inset-0 cursor-pointer opacity-0"
                  checked={chosen === period}
                  onChange={() => setChosen(period)}
                />
                <span className="block text-ink-soft text-sm">{period.name}</span>
                <Figures requests={data} since={now - period.ms} />
              </label>
            ))}
          </fieldset>
          <TimeChart
            columns={columnsOf(
              data ?? [],
              outcomes.map(([status]) => status),
              (one) => [one.at, outcomeOf(one)],
              {
                size: chosen.size,
                count: chosen.ms / chosen.size,
                now,
              },
            )}
            statuses={outcomes}
            size={chosen.size}
            step={chosen.step}
            noun={['request', 'requests']}
          >
            <Legend entries={outcomes} />
          </TimeChart>
        </>
      )}
    </Section>
  );
}

/** The service stores a limited number of requests: beyond it, the counts are lower bounds. */
function Figures({
  requests,
  since,
}: {
  readonly requests: readonly InspectedRequest[] | undefined;
  readonly since: number;
}) {
  if (!requests) return <span className="skeleton mt-1 block h-8 w-28" />;
  const found = requests.filter(({ at }) => Date.parse(at) >= since);
  const errors = found.filter((one) => outcomeOf(one) !== 'delivered').length;
  const isTruncated = found.length >= MAX_REQUESTS;
  return (
    <span className="mt-0.5 flex flex-wrap items-baseline gap-x-3">
      <span className="numbers font-display font-semibold text-3xl leading-tight">
        {count(found.length)}
        {isTruncated && '+'}
      </span>
      <span className={`text-sm ${errors > 0 ? 'font-semibold text-danger' : 'text-ink-soft'}`}>
        {errors === 0 ? 'no errors' : plural(errors, 'error')}
        {isTruncated && errors > 0 && ` in the last ${MAX_REQUESTS}`}
      </span>
    </span>
  );
}
