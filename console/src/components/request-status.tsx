import type { InspectedRequest } from '../api/requests.ts';
import { Link } from '../router/link.tsx';
import { Mark, StatusCode } from './mark.tsx';

/** What the client saw: the status of the answer, or that there was none. */
export function RequestStatus({ request: { status, fault } }: { readonly request: InspectedRequest }) {
  if (status === null) return <Mark tone="failed" text="No response" />;
  if (fault === 'lost-answer') return <Mark tone="failed" text={`${status} (lost)`} />;
  return <StatusCode status={status} />;
}

/** The fault of the sandbox that a request met, leading to the place where faults are armed. */
export function FaultBadge({ fault }: { readonly fault: string }) {
  return (
    <Link to="/sandbox" className="status tone-pending relative z-10 hover:underline">
      Fault: {fault}
    </Link>
  );
}
