import { useState } from 'react';
import type { Order, Pet, Transition } from '../api/store.ts';
import { ChangeOrderDialog } from './change-order-dialog.tsx';

const next: Partial<Record<Order['status'], Transition>> = { pending: 'ship', shipped: 'deliver' };
const names: Record<Transition, string> = { ship: 'Ship', deliver: 'Deliver', cancel: 'Cancel' };

/**
 * What can be asked of an order. On its own page, cancelling may be asked even when it is too late:
 * the service decides, and its answer is explained.
 */
export function OrderActions({
  order,
  pet,
  compact = false,
}: {
  readonly order: Order;
  readonly pet: Pet | undefined;
  readonly compact?: boolean;
}) {
  const [transition, setTransition] = useState<Transition>();
  const forward = next[order.status];
  const cancellable = compact ? order.status === 'pending' : order.status !== 'cancelled';
  const size = compact ? 'button-small' : '';
  const rest = compact ? '' : ' order';
  return (
    <span className="inline-flex flex-wrap justify-end gap-1">
      {cancellable && (
        <button
          type="button"
          className={`button ${size} ${compact ? 'button-quiet !text-ink-soft' : ''}`}
          aria-label={`Cancel order ${order.id}`}
          onClick={() => setTransition('cancel')}
        >
          {names.cancel}
          {rest}
        </button>
      )}
      {forward && (
        <button
          type="button"
          className={`button ${size} ${compact ? '' : 'button-primary'} min-w-[5.5rem]`}
          aria-label={`${names[forward]} order ${order.id}`}
          onClick={() => setTransition(forward)}
        >
          {names[forward]}
          {rest}
        </button>
      )}
      {transition && (
        <ChangeOrderDialog
          order={order}
          pet={pet}
          transition={transition}
          onClose={() => setTransition(undefined)}
        />
      )}
    </span>
  );
}
