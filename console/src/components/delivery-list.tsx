import { useInfiniteQuery, useMutation } from '@tanstack/react-query';
import { client } from '../api/client.ts';
import { explain } from '../api/explain.ts';
import {
  type Delivery,
  deliveriesQuery,
  eventText,
  messageIdOf,
  refreshWebhooks,
  subjectOf,
  type Webhook,
} from '../api/webhooks.ts';
import { count, plural, relativeTime } from '../format.ts';
import { useMinute } from '../use-minute.ts';
import { CodeBlock } from './code-block.tsx';
import { Icon } from './icon.tsx';
import { DeliveryMark, StatusCode } from './mark.tsx';
import { ApiError, Empty, Failure, SkeletonRows } from './states.tsx';
import { toast } from './toast.tsx';
import { When } from './when.tsx';

/** Deliveries of a webhook, newest first; each expands to its request and attempts. */
export function DeliveryList({ webhook }: { readonly webhook: Webhook }) {
  useMinute();
  const found = useInfiniteQuery(deliveriesQuery(webhook.id));
  if (found.isError && !found.data) return <Failure error={found.error} retry={() => found.refetch()} />;
  if (!found.data) return <SkeletonRows rows={3} />;
  const deliveries = found.data.pages.flatMap(({ data }) => data);
  if (deliveries.length === 0) {
    return (
      <Empty title="No deliveries yet" animal="parrot">
        <p>New store events appear here. To try it out, send a test event.</p>
      </Empty>
    );
  }
  return (
    <>
      <ul aria-label="Deliveries" className="border-line border-t">
        {deliveries.map((delivery) => (
          <li key={delivery.id} className="border-line border-b last:border-0">
            <DeliveryDetails webhook={webhook} delivery={delivery} />
          </li>
        ))}
      </ul>
      {found.hasNextPage && (
        <div className="border-line border-t p-4 sm:px-6">
          <button
            type="button"
            className="button button-small"
            disabled={found.isFetchingNextPage}
            onClick={() => found.fetchNextPage()}
          >
            Show older
          </button>
        </div>
      )}
    </>
  );
}

function DeliveryDetails({ webhook, delivery }: { readonly webhook: Webhook; readonly delivery: Delivery }) {
  const { event, status, attempts, createdAt } = delivery;
  return (
    <details className="group">
      <summary className="flex list-none flex-wrap items-center gap-x-4 gap-y-1 px-5 py-3.5 hover:bg-sunken sm:px-6 [&::-webkit-details-marker]:hidden">
        <span className="text-ink-soft transition-transform group-open:rotate-90">
          <Icon name="right" size={16} />
        </span>
        <span className="min-w-0 flex-1 basis-44">
          <span className="block font-mono font-semibold text-sm">{event.type}</span>
          <span className="block text-ink-soft text-sm">
            {subjectOf(delivery) || `delivery ${delivery.id}`}
          </span>
        </span>
        <span className="flex w-full flex-wrap items-center gap-x-4 gap-y-1 pl-8 text-sm md:w-auto md:pl-0">
          <span className="order-2 text-ink-soft md:order-none">{plural(attempts.length, 'attempt')}</span>
          <span className="md:min-w-40">
            <DeliveryMark status={status} attempts={attempts.length} />
          </span>
          <span className="order-3 md:min-w-40 md:text-right">
            <When at={createdAt} precision="second" />
          </span>
        </span>
      </summary>
      <DeliveryContent webhook={webhook} delivery={delivery} />
    </details>
  );
}

function DeliveryContent({ webhook, delivery }: { readonly webhook: Webhook; readonly delivery: Delivery }) {
  const { id, attempts, nextAttemptAt, status } = delivery;
  const redeliver = useMutation({
    mutationFn: () => client.webhooks.redeliver(webhook.id, id),
    onSuccess: async () => {
      await refreshWebhooks();
      toast('Redelivery started');
    },
  });
  const last = attempts.at(-1);
  const { pathname, search, host } = new URL(last?.url ?? webhook.url);
  const head = [
    `POST ${pathname}${search} HTTP/1.1`,
    `host: ${host}`,
    'content-type: application/json',
    `webhook-id: ${messageIdOf(webhook.id, delivery)}`,
    ...(last ? [`webhook-timestamp: ${Math.floor(Date.parse(last.at) / 1000)}`] : []),
    'webhook-signature: v1,…',
  ].join('\n');
  return (
    <div className="grid gap-5 bg-ground px-5 py-5 sm:px-6 xl:grid-cols-2">
      <div className="min-w-0">
        <CodeBlock
          title="Request"
          text={`${head}\n\n${eventText(delivery)}`}
          copyText={eventText(delivery)}
        />
      </div>
      <div className="grid min-w-0 content-start gap-3">
        <h3 className="label">Attempts</h3>
        <ol className="grid gap-3">
          {attempts.map((attempt) => (
            <li key={attempt.at} className="rounded-2xl border border-line bg-surface p-3.5 text-sm">
              <p className="flex flex-wrap items-center gap-x-3 gap-y-1">
                {attempt.status === null ? (
                  <span className="font-semibold text-danger">No response</span>
                ) : (
                  <StatusCode status={attempt.status} />
                )}
                <When at={attempt.at} precision="second" />
                <span className="text-ink-soft">{count(attempt.durationMs)} ms</span>
              </p>
              {attempt.url !== webhook.url && (
                <p className="mt-1 text-ink-soft [overflow-wrap:anywhere]">to {attempt.url}</p>
              )}
              {attempt.error && <p className="mt-2">{attempt.error}</p>}
              {attempt.answer && (
                <pre className="mt-2 max-h-48 overflow-y-auto whitespace-pre-wrap font-mono text-[0.8125rem] [overflow-wrap:anywhere]">
                  {attempt.answer}
                </pre>
              )}
            </li>
          ))}
        </ol>
        <p className="text-ink-soft text-sm">{nextStep(delivery, webhook)}</p>
        {redeliver.error && <ApiError explanation={explain(redeliver.error)} />}
        <div>
          <button
            type="button"
            className="button button-small"
            aria-label={`Redeliver ${id}`}
            disabled={redeliver.isPending || (status === 'pending' && nextAttemptAt === null)}
            onClick={() => redeliver.mutate()}
          >
            Redeliver
          </button>
        </div>
      </div>
    </div>
  );
}

function nextStep({ status, attempts, nextAttemptAt }: Delivery, { active }: Webhook): string {
  if (status === 'delivered') return 'The receiver responded with 2xx.';
  if (status === 'failed') return 'No more automatic retries. You can redeliver it.';
  if (!active) return 'The webhook is paused. Delivery continues when you resume it.';
  if (nextAttemptAt && Date.parse(nextAttemptAt) > Date.now() + 2_000)
    return `Next attempt ${relativeTime(nextAttemptAt)}.`;
  return attempts.length > 0 ? 'Retrying now.' : 'Sending now.';
}
