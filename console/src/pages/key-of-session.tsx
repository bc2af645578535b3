import type { Deployment, Session } from '../api/console-api.ts';
import { Page } from '../components/page.tsx';
import { UseKey } from '../components/use-key.tsx';
import { expiry } from '../format.ts';
import { useMinute } from '../use-minute.ts';

/** The keys page of a session opened with a key, which can't manage keys. */
export function KeyOfSession({
  sessionKey: { id, name, lastFour, scope, expiresAt },
  deployment,
}: {
  readonly sessionKey: NonNullable<Session['key']>;
  readonly deployment: Deployment;
}) {
  useMinute();
  return (
    <Page
      name="Keys"
      title="API keys"
      lead="You are signed in with an API key, which can't list, create or revoke keys. To manage keys, sign in with an account."
    >
      <div className="panel p-4 sm:p-5">
        <p className="font-semibold [overflow-wrap:anywhere]">{name}</p>
        <p className="mt-0.5 text-ink-soft text-sm">
          …{lastFour} · {scope === 'read' ? 'Read only' : 'Full access'} ·{' '}
          {expiresAt === null ? 'No expiration' : `Expires ${expiry(expiresAt)}`}
        </p>
        {id === 'key_known_in_advance' && (
          <p className="mt-3">
            This key was set when the service started, with{' '}
            <code className="font-mono text-sm">--staging-key</code>, and is not secret. It can't be rolled or
            revoked. To change or remove it, restart the service.
          </p>
        )}
      </div>
      <UseKey deployment={deployment} />
    </Page>
  );
}
