import { useQuery } from '@tanstack/react-query';
import { requestsQuery } from '../api/requests.ts';
import { publicPath } from '../base-path.ts';
import { milliseconds } from '../format.ts';
import { Link } from '../router/link.tsx';
import { PetGlyph } from './pet-glyph.tsx';
import { RequestStatus } from './request-status.tsx';

const POLL_MS = 1_000;

/** Waits for the first request with a key, then shows it. */
export function FirstCall({ keyId }: { readonly keyId: string }) {
  const { data, isError } = useQuery({
    ...requestsQuery,
    refetchInterval: ({ state }) => (state.data?.some((one) => one.keyId === keyId) ? false : POLL_MS),
  });
  const first = data?.filter((request) => request.keyId === keyId).at(-1);
  // The request inspector may be turned off.
  if (isError && !data) return null;
  return (
    <div role="status" className="rounded-2xl border border-line bg-sunken p-4">
      {first ? (
        <>
          <p className="flex items-center gap-3 font-semibold">
            <span className="hops">
              <PetGlyph category="dog" size={36} />
            </span>
            First request received
          </p>
          <p className="mt-1 flex flex-wrap items-center gap-x-3 gap-y-1 text-sm">
            <RequestStatus request={first} />
            <Link to={`/requests/${first.id}`} className="link min-w-0 font-mono [overflow-wrap:anywhere]">
              {first.method} {first.path}
            </Link>
            <span className="text-ink-soft">{milliseconds(first.durationMs)}</span>
          </p>
          <p className="mt-3">
            Next:{' '}
            <a href={publicPath('/guides/testing')} target="_blank" rel="noopener" className="link">
              test a client
            </a>
          </p>
        </>
      ) : (
        <p className="flex items-center gap-3 font-semibold">
          <span className="relative grid size-2.5 flex-none place-items-center" aria-hidden="true">
            <span className="absolute size-2.5 animate-ping rounded-full bg-accent opacity-40" />
            <span className="size-2.5 rounded-full bg-accent" />
          </span>
          Waiting for your first request…
        </p>
      )}
    </div>
  );
}
