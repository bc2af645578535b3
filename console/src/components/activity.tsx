import { useInfiniteQuery } from '@tanstack/react-query';
import type { AccountEvent } from '../api/console-api.ts';
import { eventsQuery } from '../api/queries.ts';
import { Failure, SkeletonRows } from './states.tsx';
import { When } from './when.tsx';

const eventLabels: Readonly<Record<string, string>> = {
  signed_up: 'Account created',
  sign_up_repeated: 'Sign-up attempted with your email',
  signed_in: 'Signed in',
  sign_in_failed: 'Sign-in failed: wrong password',
  signed_out: 'Signed out',
  signed_out_everywhere: 'Signed out everywhere',
  session_ended: 'Session ended',
  password_changed: 'Password changed',
  password_reset: 'Password reset by the operator',
  password_refused: 'Wrong password entered while signed in',
  key_created: 'Key created',
  key_rolled: 'Key rolled',
  key_revoked: 'Key revoked',
  opened_with_key: 'Signed in with a key',
};

export function Activity() {
  const events = useInfiniteQuery(eventsQuery);
  if (events.isError && !events.data) return <Failure error={events.error} retry={() => events.refetch()} />;
  if (!events.data) return <SkeletonRows rows={3} />;
  return (
    <>
      <ol aria-label="Account activity" className="divide-y divide-line border-line border-y">
        {events.data.pages
          .flatMap(({ data }) => data)
          .map((event) => (
            <ActivityRow key={event.id} event={event} />
          ))}
      </ol>
      {events.hasNextPage && (
        <button
          type="button"
          className="button button-small mt-3"
          disabled={events.isFetchingNextPage}
          onClick={() => events.fetchNextPage()}
        >
          Show older
        </button>
      )}
    </>
  );
}

function ActivityRow({ event: { at, what, key, address } }: { readonly event: AccountEvent }) {
  return (
    <li className="flex flex-wrap justify-between gap-x-4 gap-y-0.5 py-2.5 text-sm">
      <span className="min-w-0 flex-1 basis-56">
        {eventLabels[what] ?? what}
        {key && <span className="font-mono text-ink-soft"> …{key.lastFour}</span>}
      </span>
      <span className="font-mono text-ink-soft">{address}</span>
      <When at={at} />
    </li>
  );
}
