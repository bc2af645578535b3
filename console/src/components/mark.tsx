import type { DeliveryStatus } from '../api/webhooks.ts';

type Tone = 'pending' | 'delivered' | 'cancelled' | 'failed';

const iconPaths: Record<Tone, string> = {
  pending: 'M8 4.5v3.7l2.3 1.6',
  delivered: 'M5 8.2 7.2 10.4 11.2 5.8',
  cancelled: 'M5.5 8h5',
  failed: 'M8 4.6v4.2M8 11.2v.1',
};
const cross = 'M5.7 5.7l4.6 4.6M10.3 5.7l-4.6 4.6';

/** A status badge with an icon, so that colour is not the only cue. */
export function Mark({
  tone,
  text,
  iconPath = iconPaths[tone],
}: {
  readonly tone: Tone;
  readonly text: string;
  readonly iconPath?: string;
}) {
  return (
    <span className={`status tone-${tone}`}>
      <svg
        viewBox="0 0 16 16"
        width={16}
        height={16}
        aria-hidden="true"
        className="flex-none"
        fill="none"
        stroke="currentColor"
        strokeWidth="1.7"
        strokeLinecap="round"
        strokeLinejoin="round"
      >
        <circle cx="8" cy="8" r="6.7" />
        <path d={iconPath} />
      </svg>
      {text}
    </span>
  );
}

export const deliveryNames: Record<DeliveryStatus, string> = {
  delivered: 'Delivered',
  pending: 'Pending',
  failed: 'Failed',
};

export function DeliveryMark({
  status,
  attempts,
}: {
  readonly status: DeliveryStatus;
  readonly attempts: number;
}) {
  const pending = attempts > 0 ? 'Retrying' : 'Pending';
  const text = status === 'pending' ? pending : deliveryNames[status];
  return <Mark tone={status} text={text} />;
}

export function ActiveMark({ active }: { readonly active: boolean }) {
  return <Mark tone={active ? 'delivered' : 'cancelled'} text={active ? 'Active' : 'Paused'} />;
}

/** An HTTP status code with the icon of its class. */
export function StatusCode({ status }: { readonly status: number }) {
  const text = String(status);
  if (status < 300) return <Mark tone="delivered" text={text} />;
  if (status < 400) return <Mark tone="cancelled" text={text} />;
  if (status < 500) return <Mark tone="pending" text={text} iconPath={cross} />;
  return <Mark tone="failed" text={text} />;
}
