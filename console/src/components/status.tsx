import type { OrderStatus } from '../api/store.ts';

const marks: Record<OrderStatus, string> = {
  pending: 'M8 4.5v3.7l2.3 1.6',
  shipped: 'M4.8 8h6.2M8.4 5.2 11.2 8l-2.8 2.8',
  delivered: 'M5 8.2 7.2 10.4 11.2 5.8',
  cancelled: 'M5.7 5.7l4.6 4.6M10.3 5.7l-4.6 4.6',
};

export const statusNames: Record<OrderStatus, string> = {
  pending: 'Pending',
  shipped: 'Shipped',
  delivered: 'Delivered',
  cancelled: 'Cancelled',
};

/** The icon of a status, so that colour is not the only cue. */
export function StatusMark({ status, size = 16 }: { readonly status: OrderStatus; readonly size?: number }) {
  return (
    <svg
      viewBox="0 0 16 16"
      width={size}
      height={size}
      aria-hidden="true"
      className="flex-none"
      fill="none"
      stroke="currentColor"
      strokeWidth="1.7"
      strokeLinecap="round"
      strokeLinejoin="round"
    >
      <circle cx="8" cy="8" r="6.7" strokeDasharray={status === 'cancelled' ? '2.4 2.4' : undefined} />
      <path d={marks[status]} />
    </svg>
  );
}

export function Status({ status }: { readonly status: OrderStatus }) {
  return (
    <span className={`status tone-${status}`}>
      <StatusMark status={status} />
      {statusNames[status]}
    </span>
  );
}
