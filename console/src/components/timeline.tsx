import type { InspectedRequest } from '../api/requests.ts';
import type { OrderHistoryEntry } from '../api/store.ts';
import { day, span, time } from '../format.ts';
import { findRequestOfChange } from '../request-of-change.ts';
import { Link } from '../router/link.tsx';
import { BreakableUrl } from './breakable-url.tsx';
import { Method } from './method.tsx';
import { StatusMark, statusNames } from './status.tsx';

/** The status history of an order, with the time spent in each, and the request that made each change. */
export function Timeline({
  id,
  states,
  requests,
}: {
  readonly id: bigint;
  readonly states: readonly OrderHistoryEntry[];
  readonly requests: readonly InspectedRequest[];
}) {
  return (
    <ol className="grid">
      {states.map((state, index) => {
        const { status, at } = state;
        const following = states[index + 1];
        const request = findRequestOfChange(id, state, requests);
        return (
          <li
            key={status}
            className={`tone-${status} relative grid grid-cols-[2.25rem_1fr] gap-x-3.5 pb-7 last:pb-0`}
          >
            {following && (
              <span className="absolute top-9 bottom-0 left-[1.0625rem] w-0.5 bg-line" aria-hidden="true" />
            )}
            <span className="grid size-9 place-items-center rounded-full bg-[var(--tone-soft)] text-[var(--tone)]">
              <StatusMark status={status} size={20} />
            </span>
            <div className="pt-1">
              <p className="font-semibold">{index === 0 ? 'Order placed' : statusNames[status]}</p>
              <p className="text-ink-soft text-sm">
                <time dateTime={at}>
                  {day(at)}, {time(at)} UTC
                </time>
              </p>
              {request && (
                <Link
                  to={`/requests/${request.id}`}
                  className="mt-1 inline-flex min-w-0 flex-wrap items-center gap-x-2 text-sm hover:underline"
                >
                  <Method method={request.method} />
                  <span className="font-mono text-[0.8125rem] [overflow-wrap:anywhere]">
                    <BreakableUrl url={request.path} />
                  </span>
                </Link>
              )}
              {following && (
                <p className="mt-2 text-ink-soft text-xs">
                  {statusNames[status]} for {span(at, following.at)}
                </p>
              )}
            </div>
          </li>
        );
      })}
    </ol>
  );
}
