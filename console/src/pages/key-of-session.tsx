import type { Deployment, Session } from '../api/console-api.ts';
import { Page } from '../components/page.tsx';
import { UseKey } from '../components/use-key.tsx';
import { expiry } from '../format.ts';
import { useMinute } from '../use-minute.ts';

/** What a session that a key opened sees here: a key manages none. */
export function KeyOfSession({
  opener: { id, name, lastFour, scope, expiresAt },
  deployment,
}: {
  readonly opener: NonNullable<Session['key']>;
  readonly deployment: Deployment;
}) {
  useMinute();
  return (
    <Page
      name="Keys"
      title="API keys"
      lead="The store was opened with a key. A key cannot list, create or revoke keys; sign in to an account for that."
    >
      <div className="panel p-4 sm:p-5">
        <p className="font-semibold [overflow-wrap:anywhere]">{name}</p>
        <p className="mt-0.5 text-ink-soft text-sm">
          …{lastFour} · {scope === 'read' ? 'only reads' : 'may do everything'} ·{' '}
          {expiresAt === null ? 'does not expire' : `expires ${expiry(expiresAt)}`}
        </p>
        {id === 'key_known_in_advance' && (
          <p className="mt-3">
            Everybody knows this key: it was given when the service was started, by{' '}
            <code className="font-mono text-sm">--staging-key</code>. It can be neither rolled nor revoked.
            Start the service with another one, or without.
          </p>
        )}
      </div>
      <UseKey deployment={deployment} />
    </Page>
  );
}
