import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { unsavedSecret } from '../api/unsaved-secret.ts';
import { eventTypes, type Webhook, type WebhookWithSecret, webhooksQuery } from '../api/webhooks.ts';
import { BreakableUrl } from '../components/breakable-url.tsx';
import { Icon } from '../components/icon.tsx';
import { ActiveMark } from '../components/mark.tsx';
import { Page, Section } from '../components/page.tsx';
import { Snippets } from '../components/snippets.tsx';
import { Empty, Failure, SkeletonRows } from '../components/states.tsx';
import { WebhookDialog } from '../components/webhook-dialogs.tsx';
import { day } from '../format.ts';
import { Link } from '../router/link.tsx';
import { useFragmentAction } from '../use-fragment-action.ts';
import { verifySnippets } from '../verify-snippets.ts';

export function Webhooks() {
  const found = useQuery(webhooksQuery);
  const [adding, setAdding] = useState(false);
  useFragmentAction({ add: () => setAdding(true) });
  const showSecret = (created: WebhookWithSecret) => {
    setAdding(false);
    unsavedSecret.set({ created, isRotated: false });
  };
  const button = (
    <button type="button" className="button button-primary" onClick={() => setAdding(true)}>
      <Icon name="plus" size={18} /> Add webhook
    </button>
  );
  return (
    <Page
      name="Webhooks"
      title="Webhooks"
      lead="Send store events to your server. Each delivery is signed, and retried if it fails."
      actions={button}
    >
      <div className="grid gap-4">
        <div className="panel min-h-22 overflow-hidden">
          {found.isError && !found.data ? (
            <Failure error={found.error} retry={() => found.refetch()} />
          ) : !found.data ? (
            <SkeletonRows rows={2} className="h-20" />
          ) : found.data.length === 0 ? (
            <Empty title="No webhooks yet" animal="parrot">
              <p>
                Add the URL of your server. To forward events to a local server, run{' '}
                <code className="font-mono text-sm">petstore listen</code>.
              </p>
            </Empty>
          ) : (
            <ul aria-label="Webhooks">
              {found.data.map((webhook) => (
                <WebhookRow key={webhook.id} webhook={webhook} />
              ))}
            </ul>
          )}
        </div>
        <VerifySignatures />
      </div>
      {adding && <WebhookDialog onClose={() => setAdding(false)} onCreated={showSecret} />}
    </Page>
  );
}

function WebhookRow({ webhook: { id, url, types, active, createdAt } }: { readonly webhook: Webhook }) {
  return (
    <li className="border-line border-b last:border-0">
      <Link
        to={`/webhooks/${id}`}
        className="group flex flex-wrap items-center justify-between gap-x-3 gap-y-2 p-4 md:gap-x-6 hover:bg-sunken sm:p-5"
      >
        <span className="min-w-0 flex-1 basis-full sm:basis-52">
          <span className="block font-semibold [overflow-wrap:anywhere] group-hover:text-accent">
            <BreakableUrl url={url} />
          </span>
          <span className="mt-0.5 block text-ink-soft text-sm">{typesText(types)}</span>
        </span>
        <span className="text-ink-soft text-sm">Created {day(createdAt)}</span>
        <span className="flex items-center gap-2 text-ink-soft">
          <ActiveMark active={active} />
          <Icon name="right" size={16} />
        </span>
      </Link>
    </li>
  );
}

export const typesText = (types: Webhook['types']) =>
  types.length === eventTypes.length ? 'All events' : types.join(', ');

export function VerifySignatures() {
  return (
    <Section title="Verify signatures">
      <p className="-mt-2 mb-4 max-w-3xl text-ink-soft">
        Anyone can post to your URL. Accept a message only if its signature is valid and it is less than five
        minutes old. The format is{' '}
        <a href="https://www.standardwebhooks.com" className="link">
          Standard Webhooks
        </a>
        , so its libraries work too.
      </p>
      <Snippets snippets={verifySnippets} />
    </Section>
  );
}
