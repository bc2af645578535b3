import type { InspectedRequest } from '../api/requests.ts';
import { clock, milliseconds } from '../format.ts';
import { operationOf } from '../requests-search.ts';
import { Link } from '../router/link.tsx';
import { BreakableUrl } from './breakable-url.tsx';
import { Method } from './method.tsx';
import { FaultBadge, RequestStatus } from './request-status.tsx';

export function RequestsTable({
  requests,
  keyNames,
}: {
  readonly requests: readonly InspectedRequest[];
  readonly keyNames: ReadonlyMap<string, string>;
}) {
  return (
    <table className="w-full table-fixed text-left">
      <caption className="sr-only">Requests, newest first. Times are in UTC.</caption>
      <thead className="text-ink-soft text-sm">
        <tr className="h-11 border-line border-b [&>th]:px-2 [&>th]:font-semibold sm:[&>th]:px-3">
          <th scope="col" className="w-28 !pl-4 sm:w-34 sm:!pl-5">
            Status
          </th>
          <th scope="col">Request</th>
          <th scope="col" className="hidden w-52 xl:table-cell">
            Key
          </th>
          <th scope="col" className="hidden w-24 text-right md:table-cell">
            Duration
          </th>
          <th scope="col" className="hidden w-28 !pr-5 text-right sm:table-cell">
            Time
          </th>
        </tr>
      </thead>
      <tbody>
        {requests.map((request) => (
          <tr
            key={request.id}
            className="relative h-15 border-line border-b last:border-0 hover:bg-sunken [&>td]:px-2 sm:[&>td]:px-3"
          >
            <td className="!pl-4 py-2 sm:!pl-5">
              <RequestStatus request={request} />
              <RequestTime request={request} className="mt-1 block sm:hidden" />
            </td>
            <th scope="row" className="px-2 py-2 font-normal sm:px-3">
              {/* Covers the whole row. */}
              <Link
                to={`/requests/${request.id}`}
                className="line-clamp-5 font-mono text-xs sm:text-[0.8125rem] [&>.method]:min-w-0 sm:[&>.method]:min-w-[5em] [overflow-wrap:anywhere] after:absolute after:inset-0 sm:block sm:truncate"
              >
                <Method method={request.method} /> <BreakableUrl url={request.path} />
              </Link>
              <span className="flex flex-wrap items-center gap-x-2 text-ink-soft text-sm">
                <span className="min-w-0 [overflow-wrap:anywhere]">
                  {[request.operation && operationOf(request), request.error].filter(Boolean).join(' · ')}
                </span>
                {request.fault && <FaultBadge fault={request.fault} />}
              </span>
            </th>
            <td className="hidden truncate text-ink-soft text-sm xl:table-cell">
              {keyNames.get(request.keyId) ?? request.keyId}
            </td>
            <td className="hidden text-right text-sm md:table-cell">{milliseconds(request.durationMs)}</td>
            <td className="hidden !pr-5 text-right sm:table-cell">
              <RequestTime request={request} className="" />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function RequestTime({
  request: { at },
  className,
}: {
  readonly request: InspectedRequest;
  readonly className: string;
}) {
  return (
    <time dateTime={at} title={at} className={`text-sm ${className}`}>
      {clock(at)}
    </time>
  );
}
