import type { OrderStatus } from '../api/store.ts';

const marks: Record<OrderStatus, string> = {
  pending: 'M8 4.500v3.700l2.300 1.600',
  shipped: 'M4.800 8h6.200M8.400 5.200 11.200 8l-2.800 2.800',
  delivered: 'M5 8.200 7.200 10.400 11.200 5.800',
  cancelled: 'M5.700 5.700l4.600 4.600M10.300 5.700l-4.600 4.600',
};

export const statusNames: Record<OrderStatus, string> = {
  pending: 'Pending',
  shipped: 'Shipped',
  delivered: 'Delivered',
  cancelled: 'Cancelled',
};

/** The state's sign: never colour alone. */
export function StatusMark({ status, size = 16 }: { readonly status: OrderStatus; readonly size?: number }) {
  return (
    <svg viewBox="0 0 16 16" width={size} height={size} aria-hidden="true" className="flex-none" fill="none" stroke="currentColor" strokeWidth="1.7" strokeLinecap="round" strokeLinejoin="round">
      <circle cx="8" cy="8" r="6.700" strokeDasharray={status === 'cancelled' ? '2.400 2.400' : undefined} />
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
