import { useInfiniteQuery, useMutation, useQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { client } from '../api/client.ts';
import { explain } from '../api/explain.ts';
import { unsavedSecret } from '../api/unsaved-secret.ts';
import {
  deliveriesQuery,
  lastDayQuery,
  refreshWebhooks,
  type Webhook,
  webhooksQuery,
} from '../api/webhooks.ts';
import { BackLink } from '../components/back-link.tsx';
import { BreakableUrl } from '../components/breakable-url.tsx';
import { DeliveryChart } from '../components/delivery-chart.tsx';
import { DeliveryList } from '../components/delivery-list.tsx';
import { ActiveMark } from '../components/mark.tsx';
import { Page, Section } from '../components/page.tsx';
import { ApiError, Empty, Failure, SkeletonRows } from '../components/states.tsx';
import { toast } from '../components/toast.tsx';
import { DeleteWebhookDialog, RollSecretDialog, WebhookDialog } from '../components/webhook-dialogs.tsx';
import { navigate } from '../router/router.ts';
import { typesText, VerifySignatures } from './webhooks.tsx';

/** One webhook, its deliveries and its actions. */
export function WebhookPage({ id }: { readonly id: string }) {
  const found = useQuery(webhooksQuery);
  const webhook = found.data?.find((other) => other.id === id);
  return (
    <>
      <BackLink to="/webhooks" name="All webhooks" />
      {webhook ? (
        <WebhookDetails webhook={webhook} />
      ) : (
        <Page name="Webhook" title="Webhook">
          <div className="panel">
            {found.isError ? (
              <Failure error={found.error} retry={() => found.refetch()} />
            ) : found.data ? (
              <Empty title="This webhook doesn't exist" animal="fish">
                <p>It may have been deleted.</p>
              </Empty>
            ) : (
              <SkeletonRows rows={4} />
            )}
          </div>
        </Page>
      )}
    </>
  );
}

type Open = { what: 'edit' | 'roll' | 'delete' };

function WebhookDetails({ webhook }: { readonly webhook: Webhook }) {
  const [open, setOpen] = useState<Open>();
  const close = () => setOpen(undefined);
  const { id, url, types, active } = webhook;
  const test = useMutation({
    mutationFn: () => client.webhooks.test(id),
    onSuccess: async () => {
      await refreshWebhooks();
      toast('Test event sent');
    },
  });
  const toggle = useMutation({
    mutationFn: () => client.webhooks.change(id, { active: !active }),
    onSuccess: async () => {
      await refreshWebhooks();
      toast(active ? 'Webhook paused' : 'Webhook resumed');
    },
  });
  const actionError = test.error ?? toggle.error;
  return (
    <Page
      name="Webhook"
      title={
        <span className="block text-2xl [overflow-wrap:anywhere] lg:text-3xl">
          <BreakableUrl url={url} />
        </span>
      }
      lead={
        <span className="flex flex-wrap items-center gap-x-3 gap-y-1">
          <ActiveMark active={active} /> {typesText(types)}
        </span>
      }
      actions={
        <>
          <button
            type="button"
            className="button button-primary"
            disabled={test.isPending || !active}
            onClick={() => test.mutate()}
          >
            Send test event
          </button>
          <button
            type="button"
            className="button"
            disabled={toggle.isPending}
            onClick={() => toggle.mutate()}
          >
            {active ? 'Pause' : 'Resume'}
          </button>
          <button type="button" className="button" onClick={() => setOpen({ what: 'edit' })}>
            Edit
          </button>
          <button type="button" className="button" onClick={() => setOpen({ what: 'roll' })}>
            Roll secret
          </button>
          <button
            type="button"
            className="button button-quiet-danger"
            onClick={() => setOpen({ what: 'delete' })}
          >
            Delete
          </button>
        </>
      }
    >
      <div className="grid gap-4">
        {actionError && <ApiError explanation={explain(actionError)} />}
        <Section title="Last 24 hours" note="By current status. Times are in UTC.">
          <LastDayChart id={id} />
        </Section>
        <section aria-label="Deliveries" className="panel overflow-hidden">
          <div className="flex flex-wrap items-baseline justify-between gap-x-4 gap-y-1 p-5 sm:px-6">
            <h2 className="text-xl">Deliveries</h2>
            <p className="text-ink-soft text-sm">Stored for 7 days, newest first.</p>
          </div>
          <DeliveryList webhook={webhook} />
        </section>
        <VerifySignatures />
      </div>
      {open?.what === 'edit' && <WebhookDialog webhook={webhook} onClose={close} />}
      {open?.what === 'roll' && (
        <RollSecretDialog
          webhook={webhook}
          onClose={close}
          onCreated={(created) => {
            close();
            unsavedSecret.set({ created, isRotated: true });
          }}
        />
      )}
      {open?.what === 'delete' && (
        <DeleteWebhookDialog webhook={webhook} onClose={close} onDeleted={() => navigate('/webhooks')} />
      )}
    </Page>
  );
}

/** Merges the deliveries of the last day with the newer states from the list below. */
function LastDayChart({ id }: { readonly id: string }) {
  const day = useQuery(lastDayQuery(id));
  const newest = useInfiniteQuery(deliveriesQuery(id));
  const updatedAt = Math.max(day.dataUpdatedAt, newest.dataUpdatedAt);
  const deliveries = useMemo(() => {
    const known = new Map(day.data?.map((delivery) => [delivery.id, delivery]));
    for (const delivery of newest.data?.pages.flatMap(({ data }) => data) ?? [])
      known.set(delivery.id, delivery);
    return [...known.values()];
  }, [day.data, newest.data]);
  return <DeliveryChart deliveries={deliveries} now={updatedAt || Date.now()} />;
}
