import { useMutation, useQuery } from '@tanstack/react-query';
import { account, type OpenSession } from '../api/console-api.ts';
import { explain } from '../api/explain.ts';
import { queryClient, sessionsQuery } from '../api/queries.ts';
import { browserName } from '../browser-name.ts';
import { endSession } from '../end-session.ts';
import { day, relativeTime } from '../format.ts';
import { useMinute } from '../use-minute.ts';
import { ApiError, Failure, SkeletonRows } from './states.tsx';
import { toast } from './toast.tsx';

export function SessionList() {
  useMinute();
  const sessions = useQuery(sessionsQuery);
  const end = useMutation({
    mutationFn: ({ id }: OpenSession) => account.endSession(id),
    onSuccess: async (_, { current, address }) => {
      if (current) return endSession();
      await queryClient.invalidateQueries({ queryKey: sessionsQuery.queryKey });
      toast(`Session from ${address} ended`);
    },
    // The session may have expired already.
    onError: () => queryClient.invalidateQueries({ queryKey: sessionsQuery.queryKey }),
  });
  if (sessions.isError && !sessions.data) {
    return <Failure error={sessions.error} retry={() => sessions.refetch()} />;
  }
  if (!sessions.data) return <SkeletonRows rows={1} />;
  return (
    <>
      {end.error && <ApiError explanation={explain(end.error)} />}
      <ul aria-label="Active sessions" className="divide-y divide-line border-line border-y">
        {sessions.data.map((session) => (
          <li key={session.id} className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 py-3">
            <div className="min-w-0 flex-1 basis-56">
              <p className="font-semibold [overflow-wrap:anywhere]" title={session.userAgent}>
                {browserName(session.userAgent)}
                {session.current && <span className="font-normal text-ink-soft"> · this browser</span>}
              </p>
              <p className="text-ink-soft text-sm">
                <span className="font-mono">{session.address}</span> · active{' '}
                {relativeTime(session.lastSeenAt)} ·{' '}
                <span className="inline-block">signed in {day(session.createdAt)}</span>
              </p>
            </div>
            <button
              type="button"
              className="button button-small"
              aria-label={
                session.current ? 'End session in this browser' : `End session from ${session.address}`
              }
              disabled={end.isPending}
              onClick={() => end.mutate(session)}
            >
              End session
            </button>
          </li>
        ))}
      </ul>
    </>
  );
}
