import type { InspectedRequest } from '../api/requests.ts';
import { clock } from '../format.ts';
import { Link } from '../router/link.tsx';
import { Method } from './method.tsx';
import { FaultBadge, RequestStatus } from './request-status.tsx';

/** Requests shown; a busy client sends more. */
const MAX_SHOWN = 30;

/** The requests of a recipe as they arrive, each with the time since the one before. */
export function RecipeTimeline({ requests }: { readonly requests: readonly InspectedRequest[] }) {
  if (requests.length === 0) {
    return (
      <p className="flex items-center gap-3 rounded-2xl border border-line border-dashed p-4 text-ink-soft">
        <span className="relative grid size-2.5 flex-none place-items-center" aria-hidden="true">
          <span className="absolute size-2.5 animate-ping rounded-full bg-accent opacity-40" />
          <span className="size-2.5 rounded-full bg-accent" />
        </span>
        Waiting for your client…
      </p>
    );
  }
  return (
    <>
      <ol aria-label="Requests" className="grid">
        {requests.slice(0, MAX_SHOWN).map((request, index) => {
          const previous = requests[index - 1];
          const pause = previous && Date.parse(request.at) - request.durationMs - Date.parse(previous.at);
          return (
            <li key={request.id} className="relative grid gap-1 border-line border-l-2 pb-4 pl-4 last:pb-0">
              <span className="-left-[0.3125rem] absolute top-2 size-2 rounded-full bg-line-strong" />
              <span className="flex flex-wrap items-center gap-x-3 gap-y-1">
                <RequestStatus request={request} />
                {request.fault && <FaultBadge fault={request.fault} />}
                <time dateTime={request.at} className="ml-auto text-ink-soft text-sm">
                  {pause === undefined ? clock(request.at) : `+ ${(Math.max(0, pause) / 1000).toFixed(1)} s`}
                </time>
              </span>
              <Link
                to={`/requests/${request.id}`}
                className="font-mono text-[0.8125rem] [overflow-wrap:anywhere] hover:underline"
              >
                <Method method={request.method} /> {request.path}
              </Link>
            </li>
          );
        })}
      </ol>
      {requests.length > MAX_SHOWN && (
        <p className="mt-3 text-ink-soft text-sm">And {requests.length - MAX_SHOWN} more.</p>
      )}
    </>
  );
}
