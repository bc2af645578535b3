import type { InspectedRequest } from '../api/requests.ts';
import { Link } from '../router/link.tsx';
import { Mark, StatusCode } from './mark.tsx';

/** What the client saw: the response status, or no response. */
export function RequestStatus({ request: { status, fault } }: { readonly request: InspectedRequest }) {
  if (status === null) return <Mark tone="failed" text="No response" />;
  if (fault === 'lost-answer') return <Mark tone="failed" text={`${status} (lost)`} />;
  return <StatusCode status={status} />;
}

/** The sandbox fault that a request triggered, linked to the sandbox. */
export function FaultBadge({ fault }: { readonly fault: string }) {
  return (
    <Link to="/sandbox" className="status tone-pending relative z-10 hover:underline">
      Fault: {fault}
    </Link>
  );
}
