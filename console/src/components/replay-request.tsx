import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { fetchWithKey } from '../api/client.ts';
import { requestsQuery } from '../api/requests.ts';
import type { Call } from '../docs/call.ts';
import { newIdempotencyKey } from '../idempotency-key.ts';
import { Link } from '../router/link.tsx';
import { StatusCode } from './mark.tsx';

const TIMEOUT_MS = 60_000;

/** Sends a stored request again as a new one, with its `Idempotency-Key` or a new one. */
export function ReplayRequest({ call }: { readonly call: Call }) {
  const [isNewKey, setNewKey] = useState(false);
  const requests = useQuery(requestsQuery);
  const hasKey = call.headers.some(([name]) => name === 'idempotency-key');
  const replay = useMutation({
    mutationFn: async () => {
      const headers = Object.fromEntries(call.headers);
      if (hasKey && isNewKey) headers['idempotency-key'] = newIdempotencyKey();
      const { status, headers: received } = await fetchWithKey(call.url, {
        method: call.method,
        headers: { ...headers, 'x-tried-out': 'replay' },
        signal: AbortSignal.timeout(TIMEOUT_MS),
        ...(call.body === undefined ? {} : { body: call.body }),
      });
      return { status, requestId: received.get('x-request-id') };
    },
  });
  const recorded = requests.data?.find(({ requestId }) => requestId === replay.data?.requestId);
  return (
    <section aria-label="Replay" className="grid gap-3 rounded-2xl border border-line p-4">
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
        <button
          type="button"
          className="button button-small"
          disabled={replay.isPending}
          onClick={() => replay.mutate()}
        >
          Replay
        </button>
        {hasKey && (
          <label className="flex items-center gap-2 text-sm">
            <input
              type="checkbox"
              className="size-4.5 accent-accent"
              checked={isNewKey}
              onChange={({ target }) => setNewKey(target.checked)}
            />
            New Idempotency-Key
          </label>
        )}
      </div>
      <p className="text-ink-soft text-sm">
        Sends this request to staging again, as a new request with its own ID
        {hasKey ? ` and ${isNewKey ? 'a new' : 'the same'} Idempotency-Key` : ''}.
      </p>
      <p role="status" className="flex flex-wrap items-center gap-3 text-sm empty:hidden">
        {replay.isError && 'No response.'}
        {replay.data && <StatusCode status={replay.data.status} />}
        {recorded && (
          <Link to={`/requests/${recorded.id}`} className="link">
            View the new request
          </Link>
        )}
      </p>
    </section>
  );
}
